import { memo, useContext } from 'react';
import type { PagedMessage } from '../../../../server/domains/messages/schema';
import { ChatSlotsContext } from '../chat-context';
import { MessageFrame } from './message-frame';

/** A file that a tool published or shared, as another feature draws it. The call itself has its row above. */
export const ArtifactRow = memo(function ArtifactRow(props: { message: PagedMessage; isInContext: boolean }) {
  const { message, isInContext } = props;
  const { artifactCard } = useContext(ChatSlotsContext);
  if (artifactCard === undefined) return null;
  return (
    <MessageFrame isInContext={isInContext} className="py-2">
      {artifactCard(message)}
    </MessageFrame>
  );
});
