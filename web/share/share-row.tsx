import { History } from 'lucide-react';
import { memo } from 'react';
import type { PagedMessage } from '../../server/domains/messages/schema';
import { Moment } from '../components/moment';
import { readMarker } from '../features/chat/stream/compression';
import type { TranscriptItem, TurnEnding } from '../features/chat/stream/items';
import { AnswerBody } from '../features/chat/transcript/answer-body';
import { endingWords } from '../features/chat/transcript/ending-words';
import { MessageFrame } from '../features/chat/transcript/message-frame';
import { ServiceLine } from '../features/chat/transcript/service-line';
import { Steps } from '../features/chat/transcript/steps';
import { UserBubble } from '../features/chat/transcript/user-bubble';
import {
  CardFrame,
  CompressionFacts,
  CompressionIcon,
  factsLook,
  rowLook,
} from '../features/compression/card/compression-facts';
import PlanCard from '../features/todos/card/plan-card';
import { formatDuration, plural } from '../lib/format';
import { SharedArtifact } from './files/shared-artifact';
import { SharedAttachments } from './files/shared-attachments';
import { filesOf } from './to-rows';

/** One row with the owner's own cards, and nothing to press but what opens. */
export const ShareRow = memo(function ShareRow({ item }: { item: TranscriptItem }) {
  switch (item.kind) {
    case 'user':
      return (
        <MessageFrame isInContext className="pt-5 pb-1">
          <div className="flex flex-col items-end gap-1.5">
            <SharedAttachments files={filesOf(item.message)} />
            {item.message.content.trim() !== '' && <UserBubble text={item.message.content} author="Person" />}
            <span className="reveal -mt-0.5">
              <Moment at={item.message.createdAt} className="text-faint text-small" />
            </span>
          </div>
        </MessageFrame>
      );
    case 'assistant':
      return item.message === null ? null : <Answer message={item.message} />;
    case 'steps':
      return <Steps entries={item.entries} isInContext isOpenEnded={false} />;
    case 'artifact': {
      const { artifact } = filesOf(item.message);
      return artifact === null ? null : (
        <MessageFrame isInContext className="py-1.5">
          <SharedArtifact artifact={artifact} />
        </MessageFrame>
      );
    }
    case 'service':
      return <ServiceLine message={item.message} isInContext />;
    case 'recalled':
      return (
        <MessageFrame isInContext className="pt-2 pb-1">
          <p className="flex min-h-7 items-center gap-2 text-meta text-muted">
            <History size={14} aria-hidden className="shrink-0 text-accent" />
            Recalled passages from earlier
          </p>
        </MessageFrame>
      );
    case 'compression': {
      const compression = item.marker === null ? null : readMarker(item.marker);
      return compression === null ? null : (
        <MessageFrame isInContext className="py-2.5">
          <CardFrame label="Compression">
            <div className={rowLook}>
              <CompressionIcon compression={compression} />
              <div className={factsLook}>
                <CompressionFacts compression={compression} />
              </div>
            </div>
          </CardFrame>
        </MessageFrame>
      );
    }
    case 'foot':
      return <Foot message={item.message} ending={item.ending} />;
    case 'gap':
    case 'status':
      return null;
  }
});

function Answer({ message }: { message: PagedMessage }) {
  return (
    <MessageFrame isInContext className="py-1">
      <AnswerBody
        text={message.content}
        thinking={message.thinking ?? ''}
        thinkingMs={message.metadata.thinkingMs ?? null}
        isLive={false}
        card={message.isPlan ? <PlanCard message={message} /> : undefined}
        error={message.metadata.error}
      />
    </MessageFrame>
  );
}

/** A reader knows of no server. */
const endings = { ...endingWords, interrupted: 'Interrupted' };

function Foot({ message, ending }: { message: PagedMessage; ending: TurnEnding }) {
  const { elapsedSeconds, toolCallCount } = message;
  const parts = [
    ...(elapsedSeconds === null ? [] : [formatDuration(elapsedSeconds * 1000)]),
    ...(toolCallCount === null || toolCallCount === 0 ? [] : [plural(toolCallCount, 'tool')]),
  ];
  return (
    <MessageFrame isInContext className="pt-1 pb-3">
      {ending !== null && <p className="text-meta text-muted">{endings[ending]}</p>}
      <p className="tabular text-faint text-small">
        {parts.map((part) => `${part} · `)}
        <Moment at={message.createdAt} />
      </p>
    </MessageFrame>
  );
}
