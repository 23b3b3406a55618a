import { useEffect, useRef, useState } from 'react';
import type { ShareView } from '../../server/domains/shares/schema';
import { cx } from '../lib/class-names';
import { formatDay } from '../lib/format';

/** Name, profile and dates; and the name again in a thin line once the heading is out of sight. */
export function ShareHeader({ view }: { view: Omit<ShareView, 'page'> }) {
  const heading = useRef<HTMLElement>(null);
  const isAway = useIsAway(heading);
  const name = view.name ?? 'Untitled chat';
  const [from, to] = [formatDay(view.createdAt), formatDay(view.lastActive)];
  return (
    <>
      <div
        aria-hidden
        className={cx(
          'no-print fixed inset-x-0 top-0 z-10 border-line border-b bg-bg/90 backdrop-blur-sm transition-opacity duration-150',
          isAway ? 'opacity-100' : 'pointer-events-none opacity-0',
        )}
      >
        <p dir="auto" className="mx-auto max-w-[808px] truncate px-5 py-2.5 font-medium text-meta sm:px-6">
          {name}
        </p>
      </div>
      <header ref={heading} className="mx-auto max-w-[808px] px-5 pt-12 pb-2 sm:px-6 sm:pt-16">
        <h1
          dir="auto"
          className="text-balance font-semibold text-2xl leading-tight tracking-tight [overflow-wrap:anywhere]"
        >
          {name}
        </h1>
        <p className="tabular mt-2 flex flex-wrap gap-x-2 text-meta text-muted">
          <span>{view.profileName}</span>
          <span aria-hidden>·</span>
          <span>
            <time dateTime={view.createdAt}>{from}</time>
            {to !== from && (
              <>
                {' – '}
                <time dateTime={view.lastActive}>{to}</time>
              </>
            )}
          </span>
        </p>
        <hr className="mt-5 border-line" />
      </header>
    </>
  );
}

function useIsAway(target: React.RefObject<Element | null>): boolean {
  const [isAway, setIsAway] = useState(false);
  useEffect(() => {
    if (target.current === null) return;
    const observer = new IntersectionObserver(([entry]) => setIsAway(entry?.isIntersecting === false));
    observer.observe(target.current);
    return () => observer.disconnect();
  }, [target]);
  return isAway;
}
