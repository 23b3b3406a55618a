import { memo, useContext } from 'react';
import type { PagedMessage } from '../../../../server/domains/messages/schema';
import { ChatSlotsContext } from '../chat-context';
import { useChat } from '../stream/use-session-stream';
import { AnswerBody } from './answer-body';
import { MessageFrame } from './message-frame';

interface AssistantMessageProps {
  /** Null while the text is only live. The row is the same one before and after. */
  message: PagedMessage | null;
  isInContext: boolean;
}

/** An answer: plain text on the page. The live one reads its text by itself, so that nothing else paints with it. */
export const AssistantMessage = memo(function AssistantMessage({ message, isInContext }: AssistantMessageProps) {
  const isLive = message === null;
  const { planCard } = useContext(ChatSlotsContext);
  const card = message?.isPlan ? planCard?.(message) : undefined;
  const liveText = useChat((state) => (isLive ? (state.live?.text ?? '') : ''));
  const liveThinking = useChat((state) => (isLive ? (state.live?.thinking ?? '') : ''));
  const text = message?.content ?? liveText;
  const thinking = message === null ? liveThinking : (message.thinking ?? '');
  return (
    <MessageFrame isInContext={isInContext} className="py-1" isAnswer>
      <AnswerBody
        text={text}
        thinking={thinking}
        thinkingMs={message?.metadata.thinkingMs ?? null}
        isLive={isLive}
        card={card}
        error={message?.metadata.error}
      />
    </MessageFrame>
  );
});
