import { memo, useContext, useMemo } from 'react';
import type { PagedMessage } from '../../../../server/domains/messages/schema';
import { ChatSlotsContext } from '../chat-context';
import { readMarker } from '../stream/compression';
import type { CompressionInView } from '../stream/state';
import { MessageFrame } from './message-frame';
import { ServiceLine } from './service-line';

interface CompressionRowProps {
  compressionId: string;
  marker: PagedMessage | null;
  live: CompressionInView | null;
  isLatest: boolean;
}

/** The card of a compression, as another feature draws it; without one, the line that stands for it. */
export const CompressionRow = memo(function CompressionRow(props: CompressionRowProps) {
  const { compressionId, marker, live, isLatest } = props;
  const { compressionCard } = useContext(ChatSlotsContext);
  const compression = useMemo(() => (marker === null ? (live?.end ?? null) : readMarker(marker)), [marker, live?.end]);
  if (compressionCard === undefined) return marker && <ServiceLine message={marker} isInContext={false} />;
  return (
    <div className="mx-auto w-full max-w-[808px] px-5 py-2.5 sm:px-6">
      {compressionCard({ compressionId, compression, live, isLatest })}
    </div>
  );
});

/** What memory recall brought into the context. */
export const RecalledRow = memo(function RecalledRow(props: { message: PagedMessage; isInContext: boolean }) {
  const { message, isInContext } = props;
  const { recalledCard } = useContext(ChatSlotsContext);
  if (recalledCard === undefined) return <ServiceLine message={message} isInContext={isInContext} />;
  return (
    <MessageFrame isInContext={isInContext} className="pt-2 pb-1">
      {recalledCard(message)}
    </MessageFrame>
  );
});
