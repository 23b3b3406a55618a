import { Play } from 'lucide-react';
import { useContext, useSyncExternalStore } from 'react';
import { Button } from '../../../components/button';
import { Spinner } from '../../../components/spinner';
import { wordsForModelError } from '../../../lib/error-words';
import { formatWholeSeconds } from '../../../lib/format';
import { ChatSlotsContext, useChatActions } from '../chat-context';
import { isTurnRunning } from '../stream/items';
import { useChat, useStream } from '../stream/use-session-stream';
import { ErrorCard } from './error-card';
import { MessageFrame } from './message-frame';
import { hasMotion, wordsForNow } from './status-words';

/** The last row: what is going on now, or what keeps the chat from going on. As high as the foot that takes its place. */
export function StatusRow() {
  const actions = useChatActions();
  const words = useChat(wordsForNow);
  const { statusWords } = useContext(ChatSlotsContext);
  const startedAt = useChat((state) => state.live?.startedAt ?? null);
  const failure = useChat((state) => state.failure);
  const isMotionElsewhere = useChat(hasMotion);
  const isRunning = useChat(isTurnRunning);
  if (isRunning) {
    return (
      <MessageFrame isInContext className="pb-3">
        <div className="flex min-h-7 items-center gap-2 text-meta text-faint">
          {isMotionElsewhere ? <Dot /> : <Spinner />}
          <span>{statusWords === undefined ? words : statusWords(words)}</span>
          {startedAt !== null && <Elapsed since={startedAt} />}
        </div>
      </MessageFrame>
    );
  }
  return (
    <MessageFrame isInContext className="pb-3">
      {failure !== null && <ErrorCard error={{ code: failure.code, message: wordsForModelError(failure) }} />}
      <div className="flex min-h-8 flex-wrap items-center gap-2 text-meta text-muted">
        {failure === null && <span className="text-warning">Interrupted when the server stopped</span>}
        <Button onClick={() => void actions.resume()}>
          <Play size={13} aria-hidden />
          {failure === null ? 'Resume' : 'Retry'}
        </Button>
      </div>
    </MessageFrame>
  );
}

/** As wide as the wheel, so that the words beside it stay where they are. */
function Dot() {
  return (
    <span aria-hidden className="flex w-3.5 justify-center">
      <span className="size-1.5 rounded-full bg-running" />
    </span>
  );
}

/** Seconds since the run began; only shown once there is something to count. Clocks that differ never count backwards. */
function Elapsed({ since }: { since: string }) {
  const { watchTime } = useStream();
  const seconds = useSyncExternalStore(watchTime, () => Math.floor((Date.now() - Date.parse(since)) / 1_000));
  return seconds < 2 ? null : (
    <span className="tabular shrink-0 whitespace-nowrap">{formatWholeSeconds(seconds * 1_000)}</span>
  );
}
