import { CornerUpLeft, Scissors } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../../components/button';
import { cx } from '../../../lib/class-names';
import { formatCount, formatSize } from '../../../lib/format';
import { usePlaces } from '../../../lib/places';
import type { ContextMessage } from './use-context-view';

interface ContextRowProps {
  title: string;
  tokens: number;
  text: string;
  /** Absent for what is no message. */
  message?: ContextMessage;
  /** Somebody came here for this one. */
  isAsked?: boolean;
}

/** One piece of the request as it is sent; a click opens its whole text. */
export function ContextRow({ title, tokens, text, message, isAsked = false }: ContextRowProps) {
  const [isOpen, setIsOpen] = useState(false);
  const places = usePlaces();
  const calls = message?.toolCalls ?? [];
  const shown = text.trim();
  return (
    <li
      data-sequence={message?.sequenceNumber}
      className={cx(
        'group/row relative px-4 py-2 text-meta [contain-intrinsic-size:auto_60px] [content-visibility:auto]',
        isAsked && 'bg-accent-soft',
      )}
    >
      <div className="flex min-h-7 items-center gap-2">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setIsOpen((was) => !was)}
          className="flex min-w-0 flex-1 items-baseline gap-2 rounded-control text-start"
        >
          <span className="truncate font-medium">{title}</span>
          {message !== undefined && <span className="tabular text-faint text-small">#{message.sequenceNumber}</span>}
          {message?.isTruncated && (
            <span
              title={`Sent shortened; all ${formatSize(message.storedChars)} are kept in the chat`}
              className="inline-flex shrink-0 items-center gap-1 self-center text-small text-warning"
            >
              <Scissors size={11} aria-hidden />
              shortened
            </span>
          )}
        </button>
        {message !== undefined && places !== null && (
          <IconButton
            size="small"
            look="faint"
            label={`Go to message ${message.sequenceNumber}`}
            className="opacity-0 focus-visible:opacity-100 group-hover/row:opacity-100 [@media(hover:none)]:opacity-100"
            onClick={() => places.ask('message', message.sequenceNumber)}
          >
            <CornerUpLeft size={14} />
          </IconButton>
        )}
        <span className="tabular shrink-0 text-muted" title={`${formatCount(tokens)} tokens`}>
          {formatCount(tokens)}
        </span>
      </div>
      {shown !== '' && (
        <p
          dir="auto"
          className={cx(
            'text-muted text-small [overflow-wrap:anywhere]',
            isOpen ? 'whitespace-pre-wrap' : 'line-clamp-2',
          )}
        >
          {isOpen ? shown : shown.slice(0, 400)}
        </p>
      )}
      {calls.map((call) => (
        <p
          key={call.id}
          className={cx('font-mono text-faint text-small [overflow-wrap:anywhere]', !isOpen && 'truncate')}
        >
          {call.name} {JSON.stringify(call.arguments)}
        </p>
      ))}
    </li>
  );
}
