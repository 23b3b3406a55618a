/**
 * The place where toasts appear, as a chunk of its own: most visits never show one. Loading the module mounts it, once, in
 * a root of its own, because a toast must outlive the pane that caused it.
 */
import { type MouseEvent, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { Toaster, toast } from 'sonner';
import type { ToastOptions } from '../lib/toast';

function Host({ onMounted }: { onMounted(): void }) {
  useEffect(onMounted, [onMounted]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: takes nothing, it leaves the focus where it is.
    <div onMouseDown={keepFocus}>
      {/* At the top: the bottom belongs to the composer. */}
      <Toaster position="top-center" visibleToasts={4} offset={14} mobileOffset={10} />
    </div>
  );
}

/**
 * A button of a toast takes no focus from the mouse. Sonner would give it back to the field it came from as soon as it goes on
 * elsewhere, and a menu that is opened just then would close again.
 */
function keepFocus(event: MouseEvent): void {
  if (event.target instanceof Element && event.target.closest('button') !== null) event.preventDefault();
}

const mounted = new Promise<void>((resolve) => {
  const element = document.body.appendChild(document.createElement('div'));
  createRoot(element).render(<Host onMounted={resolve} />);
});

export async function show(text: string, { isError = false, ...options }: ToastOptions): Promise<void> {
  await mounted;
  if (isError) toast.error(text, options);
  else toast(text, options);
}
