import { FoldVertical, PanelRight } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { Spinner } from '../../../components/spinner';
import { wordsForError } from '../../../lib/error-words';
import { usePlaces } from '../../../lib/places';
import { useCompressionActions } from '../use-compression-actions';
import { ContextMeter } from './context-meter';
import { useContextView } from './use-context-view';

/** What the ring opens: the parts of the next request, where the number comes from, and what can be done. */
export default function ContextDetails({ sessionId }: { sessionId: string }) {
  const { data, error } = useContextView(sessionId);
  const { compact } = useCompressionActions(sessionId);
  const places = usePlaces();
  const [isBusy, setIsBusy] = useState(false);
  if (data === undefined) {
    return <div className="min-h-48 text-muted">{error === null ? <Spinner /> : wordsForError(error)}</div>;
  }
  return (
    <>
      <ContextMeter meter={data.meter} />
      {data.breaker !== null && <BreakerNote breaker={data.breaker} />}
      <div className="-mx-1 mt-3 flex gap-1 border-line border-t pt-3">
        <Button
          disabled={isBusy}
          onClick={() => {
            setIsBusy(true);
            void compact().finally(() => setIsBusy(false));
          }}
        >
          <FoldVertical size={14} aria-hidden />
          Compress now
        </Button>
        {places !== null && (
          <Button look="quiet" onClick={() => places.ask('context', 0)}>
            <PanelRight size={14} aria-hidden />
            Message by message
          </Button>
        )}
      </div>
    </>
  );
}

/** Why Navi does not compress by itself at the moment. */
export function BreakerNote({ breaker }: { breaker: 'fixed-overhead' | 'no-progress' }) {
  return (
    <p className="mt-2.5 rounded-control bg-warning-soft px-2.5 py-1.5 text-small text-text">
      {breaker === 'fixed-overhead'
        ? 'Instructions and tools alone fill the window: compressing cannot help. Use a larger window or fewer tools.'
        : 'The last attempt brought nothing, so Navi does not compress by itself until something changes.'}
    </p>
  );
}
