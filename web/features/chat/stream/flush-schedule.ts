/**
 * When streamed events reach the screen: with the next frame, as a rule. Two things go first: a key that somebody
 * presses meanwhile, and rest for the page when a long text has made its frames dear. Waits are timers, not empty
 * frames: while frames go on, a key's own frame has to wait for its turn.
 */

/** Nothing waits longer, in milliseconds: in a hidden tab no frame comes at all. */
const MAX_WAIT_MS = 300;
/** So many times as long as a flush took to reach the screen, the page rests after it: it can answer most of the time. */
const REST_PER_COST = 3;
/** Who pressed a key this recently is writing, in milliseconds. */
const WRITING_MS = 1_000;
/**
 * While somebody writes, text that has waited so long goes with the next key, in the very frame that shows it; and without one when it
 * has waited longer. In milliseconds. A frame of its own would keep frames coming just when the next key is pressed. The second is the
 * first and the pause between two keys of who writes fast: a frame without a key just before one that is about to be pressed is the worst.
 */
const GOES_WITH_KEY_MS = 150;
const KEY_WAIT_MS = 250;

export interface FlushSchedule {
  /** Asks for a flush; more calls until then change nothing. */
  request(): void;
  /** Forgets what was asked for. */
  cancel(): void;
  /** Watches the keys; the returned function stops that. */
  start(): () => void;
}

type Timer = ReturnType<typeof setTimeout> | undefined;

export function createFlushSchedule(flush: () => void): FlushSchedule {
  let isAsked = false;
  let askedAt = 0;
  let latest: Timer;
  let wait: Timer;
  let frame = 0;
  let restUntil = Number.NEGATIVE_INFINITY;
  let pressedAt = Number.NEGATIVE_INFINITY;

  /** Waits for the page's rest, and for the next key of who is writing; then for a frame. */
  function plan() {
    stopWaiting();
    const now = performance.now();
    const isKeyExpected = now - pressedAt < WRITING_MS;
    const waitUntil = Math.max(restUntil, isKeyExpected ? askedAt + KEY_WAIT_MS : 0);
    if (waitUntil <= now) frame = requestAnimationFrame(onFrame);
    else wait = setTimeout(plan, waitUntil - now);
  }

  function onFrame() {
    const startedAt = performance.now();
    // Asked for before it was known what the last one took.
    if (startedAt < restUntil) return plan();
    run();
    // The first task behind a frame's callbacks runs when the frame is laid out and painted.
    setTimeout(() => {
      const endedAt = performance.now();
      restUntil = endedAt + REST_PER_COST * (endedAt - startedAt);
    });
  }

  function onKey() {
    pressedAt = performance.now();
    // What was planned for this frame waits as well.
    if (isAsked) plan();
    requestAnimationFrame(() => {
      if (isAsked && performance.now() - askedAt >= GOES_WITH_KEY_MS) onFrame();
    });
  }

  function run() {
    cancel();
    flush();
  }

  function stopWaiting() {
    cancelAnimationFrame(frame);
    clearTimeout(wait);
  }

  function cancel() {
    isAsked = false;
    clearTimeout(latest);
    stopWaiting();
  }

  return {
    request() {
      if (isAsked) return;
      isAsked = true;
      askedAt = performance.now();
      latest = setTimeout(run, MAX_WAIT_MS);
      plan();
    },
    cancel,
    start() {
      const options = { capture: true, passive: true };
      window.addEventListener('keydown', onKey, options);
      return () => window.removeEventListener('keydown', onKey, options);
    },
  };
}
