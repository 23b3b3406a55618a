import { useEffect, useRef, useState } from 'react';
import { useChat } from './stream/use-session-stream';

const endings: Record<string, string> = {
  done: 'Answer finished.',
  stopped: 'Answer stopped.',
  interrupted: 'Answer interrupted.',
  failed: 'The answer failed.',
};

/** Tells screen readers when an answer begins, asks and ends, and nothing in between: reading along token by token is noise. */
export function Announcer() {
  const isRunning = useChat((state) => state.live !== null);
  const isAsking = useChat((state) => state.approvals.length > 0);
  const ending = useChat((state) => state.lastRun?.status ?? null);
  const [words, setWords] = useState('');
  const before = useRef({ isRunning, isAsking });
  useEffect(() => {
    const was = before.current;
    before.current = { isRunning, isAsking };
    if (isAsking && !was.isAsking) setWords('Navi asks for your approval.');
    else if (isRunning && !was.isRunning) setWords('Navi is answering.');
    else if (!isRunning && was.isRunning) setWords(endings[ending ?? ''] ?? 'Answer finished.');
  }, [isRunning, isAsking, ending]);
  return (
    <div role="status" aria-label="Answer" className="sr-only">
      {words}
    </div>
  );
}
