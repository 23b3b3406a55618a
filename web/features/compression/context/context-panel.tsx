import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../components/button';
import { Spinner } from '../../../components/spinner';
import { wordsForError } from '../../../lib/error-words';
import { formatCount, plural } from '../../../lib/format';
import { usePlaceRequest } from '../../../lib/places';
import { BreakerNote } from './context-details';
import { ContextMeter } from './context-meter';
import { ContextRow } from './context-row';
import { useContextView } from './use-context-view';

/** What the model sees, message by message, each with its price: the tab “Context” of the dock. */
export function ContextPanel({ sessionId }: { sessionId: string }) {
  const { data, error, refetch } = useContextView(sessionId);
  const list = useRef<HTMLDivElement>(null);
  const [asked, setAsked] = useState<number | null>(null);
  usePlaceRequest('context', setAsked);
  useEffect(() => {
    if (asked === null || data === undefined) return;
    const row = list.current?.querySelector(`[data-sequence="${asked}"]`);
    if (row instanceof HTMLElement) row.scrollIntoView({ block: 'center' });
  }, [asked, data]);
  if (data === undefined) {
    return (
      <div className="flex items-center gap-3 px-4 py-3 text-meta text-muted">
        {error === null ? (
          <Spinner />
        ) : (
          <>
            {wordsForError(error)}
            <Button onClick={() => void refetch()}>Try again</Button>
          </>
        )}
      </div>
    );
  }
  const { meter, messages, systemPrompt, tools, notices, breaker, isLastPromptTruncated } = data;
  const isGone = asked !== null && asked > 0 && !messages.some((message) => message.sequenceNumber === asked);
  return (
    <section ref={list} aria-label="Context" className="min-h-0 flex-1 overflow-y-auto outline-offset-[-2px]">
      <div className="border-line border-b px-4 pb-3">
        <ContextMeter meter={meter} />
        {breaker !== null && <BreakerNote breaker={breaker} />}
        {isLastPromptTruncated && (
          <p className="mt-2 rounded-control bg-warning-soft px-2.5 py-1.5 text-small">
            The model’s server cut the last request to make it fit. The next one is made smaller.
          </p>
        )}
      </div>
      {isGone && (
        <p role="status" className="border-line border-b px-4 py-2 text-meta text-muted">
          Message {asked} is not sent to the model. A summary stands for it, or it was left out.
        </p>
      )}
      <ol aria-label="What the model sees" className="divide-y divide-line">
        <ContextRow title="Instructions" tokens={systemPrompt.tokens} text={systemPrompt.text} />
        {tools.length > 0 && (
          <ContextRow
            title={plural(tools.length, 'tool')}
            tokens={meter.breakdown.tools}
            text={tools.map((tool) => `${tool.name} (${formatCount(tool.chars)} characters)`).join(',\n')}
          />
        )}
        {messages.map((message) => (
          <ContextRow
            key={message.sequenceNumber}
            message={message}
            title={titleOf(message)}
            tokens={message.tokens}
            text={message.text}
            isAsked={message.sequenceNumber === asked}
          />
        ))}
        {notices.map((notice, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: notices have no identity but their place.
          <ContextRow key={`notice-${index}`} title="Notice" tokens={notice.tokens} text={notice.text} />
        ))}
      </ol>
    </section>
  );
}

function titleOf({ role, source, name }: { role: string; source: string | null; name: string | null }): string {
  if (source === 'summary') return 'Summary';
  if (source === 'memory_recall') return 'Recalled';
  if (role === 'user') return 'You';
  if (role === 'assistant') return 'Navi';
  return role === 'tool' ? `Result of ${name ?? 'a tool'}` : 'Note';
}
