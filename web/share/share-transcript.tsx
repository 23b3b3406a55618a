import { startTransition, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../components/button';
import { Spinner } from '../components/spinner';
import { type ChatSlots, ChatSlotsContext } from '../features/chat/chat-context';
import { SharedImages } from './files/shared-images';
import { ShareRow } from './share-row';
import { filesOf } from './to-rows';
import type { OpenShare } from './use-share';

/** Nearer to the beginning of what was read than this, the page above is read, in pixels. */
const PREFETCH_PX = 1_600;
/** Painted before all else, in rows: about a screen. The rest of the page follows right behind the paint. */
const FIRST_ROWS = 10;
/** Chromium and Firefox hold what is in view by themselves; where they do not, we do. */
const holdsPlace = () => CSS.supports('overflow-anchor', 'auto');
/** What a share puts into the chat's own rows. */
const slots: ChatSlots = {
  toolImages: (result) => <SharedImages images={filesOf(result).images} className="mt-2" />,
};
/** `boot.js` showed the first screen and its end before there was React. */
const wasDrawnEarly = () => document.querySelector('[data-drawn="early"]') !== null;

/**
 * The messages, as plain parts of one page: it prints whole and the browser's own search finds everything that was read.
 * A chat that is here from its beginning opens there; of a longer one the newest messages are shown, older ones join above.
 */
export function ShareTranscript({ share }: { share: OpenShare }) {
  const { state, older, loadOlder } = share;
  const hasOlder = state.kind === 'shown' && state.nextBeforeSeq !== null;
  const isWhole = useIsPainted();
  const items = isWhole ? share.items : hasOlder ? share.items.slice(-FIRST_ROWS) : share.items.slice(0, FIRST_ROWS);
  const top = useRef<HTMLDivElement>(null);
  const isPlaced = useRef(false);
  const before = useRef({ firstKey: items[0]?.key, height: 0 });

  useLayoutEffect(() => {
    const page = document.documentElement;
    if (!isPlaced.current) {
      isPlaced.current = true;
      // The browser would go back to where the reader was on a page that had another length.
      history.scrollRestoration = 'manual';
      if (hasOlder) {
        // Where the server's drawing stood at the same place, the reader may have moved in it; not to the very top, where nothing
        // would be held. The browser still holds on to a row of it, which is gone; a move makes it look for one of these.
        const place = wasDrawnEarly() ? Math.max(1, window.scrollY) : page.scrollHeight;
        window.scrollTo(0, 0);
        window.scrollTo(0, place);
      }
    } else if (before.current.firstKey !== items[0]?.key && !holdsPlace()) {
      window.scrollBy(0, page.scrollHeight - before.current.height);
    }
    before.current = { firstKey: items[0]?.key, height: page.scrollHeight };
  }, [items, hasOlder]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: with each page that joined, the place above is another one.
  useEffect(() => {
    if (!hasOlder || !isWhole || older !== 'idle' || top.current === null) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting !== true) return;
        // At the very top nothing would be held: what joins above would push away what is read.
        if (window.scrollY < 1) window.scrollTo(0, 1);
        loadOlder();
      },
      { rootMargin: `${PREFETCH_PX}px 0px 0px` },
    );
    observer.observe(top.current);
    return () => observer.disconnect();
  }, [hasOlder, isWhole, older, loadOlder, items]);

  return (
    <main aria-label="Conversation" className="pb-4">
      {hasOlder && (
        <div
          ref={top}
          data-has-older
          className="mx-auto flex h-14 max-w-[808px] items-center gap-3 px-5 text-faint text-meta sm:px-6"
        >
          <p className="only-print">Earlier messages are not part of this print.</p>
          {older === 'failed' ? (
            <span className="no-print flex items-center gap-3">
              Earlier messages could not be read.
              <Button onClick={loadOlder}>Try again</Button>
            </span>
          ) : (
            <span role="status" className="no-print flex items-center gap-2">
              <Spinner />
              Earlier messages
            </span>
          )}
        </div>
      )}
      <ChatSlotsContext.Provider value={slots}>
        {items.map((item) => (
          <ShareRow key={item.key} item={item} />
        ))}
      </ChatSlotsContext.Provider>
    </main>
  );
}

/** False until the first frame is on the screen. */
function useIsPainted(): boolean {
  const [isPainted, setIsPainted] = useState(false);
  useEffect(() => {
    let timer = 0;
    // What follows a frame's callbacks in a task of its own comes after its paint.
    const frame = requestAnimationFrame(() => {
      timer = window.setTimeout(() => startTransition(() => setIsPainted(true)));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, []);
  return isPainted;
}
