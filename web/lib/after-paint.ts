/** A tab that is not looked at gets no frames: then it runs after this time, in milliseconds. */
const WITHOUT_FRAME_MS = 100;

/** Runs `run` once the next frame stands on the screen. The returned function takes that back. */
export function afterPaint(run: () => void): () => void {
  let behindFrame: ReturnType<typeof setTimeout> | undefined;
  const cancel = () => {
    cancelAnimationFrame(frame);
    clearTimeout(behindFrame);
    clearTimeout(withoutFrame);
  };
  const go = () => {
    cancel();
    run();
  };
  const withoutFrame = setTimeout(go, WITHOUT_FRAME_MS);
  // The first task behind a frame's callbacks runs when the frame is laid out and painted.
  const frame = requestAnimationFrame(() => {
    behindFrame = setTimeout(go);
  });
  return cancel;
}
