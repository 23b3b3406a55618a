export interface ToastOptions {
  isError?: boolean;
  /** How long it stays, in milliseconds. */
  duration?: number;
  action?: { label: string; onClick(): void };
}

/** Says something in passing, over whatever is on screen. */
export function showToast(text: string, options: ToastOptions = {}): void {
  loadToasts()
    .then(({ show }) => show(text, options))
    // The chunk could not be loaded: the server is away, and the bar at the top says so.
    .catch(() => undefined);
}

/** Loads what shows toasts. Called once things are quiet, so that it is here when the server is not. */
export const loadToasts = () => import('../components/toast-host');

/** Says that something did not work. */
export const showFailure = (text: string): void => showToast(text, { isError: true });
