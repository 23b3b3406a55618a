import { memo } from 'react';
import type { PagedMessage } from '../../../../server/domains/messages/schema';
import { LongText } from './long-text';
import { MessageFrame } from './message-frame';

interface ServiceLineProps {
  message: PagedMessage;
  isInContext: boolean;
}

/** What happened beside the conversation: model switched, note left, context summarised. One quiet line; long ones open. */
export const ServiceLine = memo(function ServiceLine({ message, isInContext }: ServiceLineProps) {
  const text = message.content.trim();
  const isShort = text.length <= 160 && !text.includes('\n');
  return (
    <MessageFrame isInContext={isInContext} className="py-2">
      <div className="flex items-center gap-3 text-small text-faint before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {isShort ? (
          <p dir="auto" className="max-w-[80%] text-center [overflow-wrap:anywhere]">
            {text}
          </p>
        ) : (
          <details className="max-w-[80%]">
            <summary className="w-fit rounded-control">
              {message.isSummary ? 'Summary of earlier messages' : 'Note'}
            </summary>
            <div dir="auto" className="whitespace-pre-wrap pt-2 text-meta text-muted [overflow-wrap:anywhere]">
              <LongText text={text} />
            </div>
          </details>
        )}
      </div>
    </MessageFrame>
  );
});
