import { memo, useCallback, useMemo } from 'react';
import { cx } from '../../../lib/class-names';
import type { TranscriptItem } from '../stream/items';
import { useStream } from '../stream/use-session-stream';
import { ArtifactRow } from './artifact-row';
import { AssistantMessage } from './assistant-message';
import { CompressionRow, RecalledRow } from './context-rows';
import { GapRow } from './gap-row';
import { sequenceOf } from './places';
import { RailContext } from './rail';
import { ServiceLine } from './service-line';
import { StatusRow } from './status-row';
import { Steps } from './steps';
import { TurnFoot } from './turn-foot';
import { UserMessage } from './user-message';

interface TranscriptRowProps {
  item: TranscriptItem;
  isEditing: boolean;
  /** Somebody was taken here: it shows itself for a moment. */
  isPointedAt: boolean;
  onEdit(sequenceNumber: number | null): void;
  onPickModel(): void;
}

/** One row with its place in the context. */
export const TranscriptRow = memo(function TranscriptRow({ isPointedAt, ...props }: TranscriptRowProps) {
  const { item } = props;
  const coveredBy = 'coveredBy' in item ? item.coveredBy : null;
  const sequenceNumber = sequenceOf(item);
  const rail = useMemo(() => ({ coveredBy, sequenceNumber }), [coveredBy, sequenceNumber]);
  return (
    <RailContext value={rail}>
      <div className={cx(isPointedAt && 'pointed-at')}>
        <Row {...props} />
      </div>
    </RailContext>
  );
});

/** One row by its kind. */
function Row({ item, isEditing, onEdit, onPickModel }: Omit<TranscriptRowProps, 'isPointedAt'>) {
  const stream = useStream();
  const userSequence = item.kind === 'foot' ? item.userSequence : null;
  const readText = useCallback(
    () =>
      stream
        .getState()
        .messages.filter(
          (message) =>
            message.role === 'assistant' &&
            message.supersededBy === null &&
            isInTurn(stream.getState().messages, userSequence, message.sequenceNumber),
        )
        .map((message) => message.content.trim())
        .filter((text) => text !== '')
        .join('\n\n'),
    [stream, userSequence],
  );
  switch (item.kind) {
    case 'user':
      return (
        <UserMessage message={item.message} isInContext={item.isInContext} isEditing={isEditing} onEdit={onEdit} />
      );
    case 'assistant':
      return <AssistantMessage message={item.message} isInContext={item.isInContext} />;
    case 'steps':
      return <Steps entries={item.entries} isInContext={item.isInContext} isOpenEnded={item.isOpenEnded} />;
    case 'service':
      return <ServiceLine message={item.message} isInContext={item.isInContext} />;
    case 'foot':
      return (
        <TurnFoot
          message={item.message}
          variants={item.variants}
          ending={item.ending}
          userSequence={item.userSequence}
          isLast={item.isLast}
          isInContext={item.message.isContext}
          readText={readText}
          onEdit={onEdit}
          onPickModel={onPickModel}
        />
      );
    case 'status':
      return <StatusRow />;
    case 'gap':
      return <GapRow />;
    case 'compression':
      return (
        <CompressionRow
          compressionId={item.compressionId}
          marker={item.marker}
          live={item.live}
          isLatest={item.isLatest}
        />
      );
    case 'artifact':
      return <ArtifactRow message={item.message} isInContext={item.isInContext} />;
    case 'recalled':
      return <RecalledRow message={item.message} isInContext={item.isInContext} />;
  }
}

/** From the turn's user message to before the next one. */
function isInTurn(
  messages: readonly { role: string; sequenceNumber: number; supersededBy: number | null }[],
  userSequence: number | null,
  sequenceNumber: number,
): boolean {
  if (sequenceNumber < (userSequence ?? 0)) return false;
  const next = messages.find(
    (message) =>
      message.role === 'user' && message.supersededBy === null && message.sequenceNumber > (userSequence ?? 0),
  );
  return next === undefined || sequenceNumber < next.sequenceNumber;
}
