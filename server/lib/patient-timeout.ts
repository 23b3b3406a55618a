/** Into so many parts the time-out is cut: a standstill of this process costs one of them, not the whole. */
const TIMEOUT_PARTS = 10;

/**
 * A time-out that a busy process does not use up, in milliseconds; `clear` it when the answer is there. While Navi starts, or on a slow
 * machine, this process stands still for seconds; an answer that arrived meanwhile waits behind a plain timer, which would then fire
 * first and call an endpoint absent that answered in time.
 */
export function startPatientTimeout(timeoutMs: number): { signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  let left = TIMEOUT_PARTS;
  const next = () => {
    left -= 1;
    if (left === 0) controller.abort();
    else timer = setTimeout(next, timeoutMs / TIMEOUT_PARTS);
  };
  let timer = setTimeout(next, timeoutMs / TIMEOUT_PARTS);
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}
