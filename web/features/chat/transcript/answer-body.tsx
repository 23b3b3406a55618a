import type { ReactNode } from 'react';
import { Markdown } from '../../../components/markdown/markdown';
import { ErrorCard } from './error-card';
import { Thinking } from './thinking';

interface AnswerBodyProps {
  text: string;
  thinking: string;
  thinkingMs: number | null;
  /** It is still being written. */
  isLive: boolean;
  /** Stands for the text: the card of a plan. */
  card?: ReactNode;
  error: { code: string; message: string; details?: string | undefined } | undefined;
}

/** What an answer shows, wherever it is read: reasoning, text or card, what went wrong. */
export function AnswerBody({ text, thinking, thinkingMs, isLive, card, error }: AnswerBodyProps) {
  return (
    <>
      <span className="sr-only">Navi: </span>
      {thinking.trim() !== '' && (
        <Thinking thinking={thinking} thinkingMs={thinkingMs} isLive={isLive && text === ''} />
      )}
      {card}
      {card === undefined && text.trim() !== '' && (
        <div dir="auto" className="text-read [overflow-wrap:anywhere]">
          <Markdown text={text} isStreaming={isLive} />
        </div>
      )}
      {error !== undefined && <ErrorCard error={error} />}
    </>
  );
}
