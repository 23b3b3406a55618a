import { TriangleAlert, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button, IconButton } from '../../../components/button';
import { wordsForError } from '../../../lib/error-words';
import { showFailure } from '../../../lib/toast';
import { useTRPCClient } from '../../../lib/trpc';
import { isRecoveryNoted, noteRecovery } from '../plan/recovery-memory';
import { usePlanState } from '../plan/use-plan';

/** After a run was cut off in the middle of a step: what that means and what can be done. Once per version of the plan. */
export function RecoveryNote() {
  const client = useTRPCClient();
  const sessionId = usePlanState((state) => state.sessionId);
  const revision = usePlanState((state) => state.snapshot?.revision ?? 0);
  const isInterrupted = usePlanState((state) => state.runState === 'interrupted' && !state.isRemoved);
  const position = usePlanState((state) => state.tasks.findIndex((step) => step.status === 'in_progress') + 1);
  const [notedNow, setNotedNow] = useState(-1);
  const isShown = isInterrupted && position > 0 && notedNow !== revision && !isRecoveryNoted(sessionId, revision);
  const dismiss = () => {
    noteRecovery(sessionId, revision);
    setNotedNow(revision);
  };
  const isRunning = usePlanState((state) => state.runState === 'running');
  const shownRevision = useRef<number | null>(null);
  useEffect(() => {
    if (isShown) shownRevision.current = revision;
    // Seen and gone on with: not shown again for this version, not even after another interruption.
    else if (isRunning && shownRevision.current !== null) noteRecovery(sessionId, shownRevision.current);
  }, [isShown, isRunning, sessionId, revision]);
  if (!isShown) return null;
  return (
    <section
      aria-label="Recovery"
      className="mx-3 mb-2 rounded-card border border-[color-mix(in_oklab,var(--warning)_35%,var(--line))] bg-warning-soft py-2 pr-1.5 pl-3 text-meta"
    >
      <div className="flex items-start gap-2">
        <TriangleAlert size={15} aria-hidden className="mt-[3px] shrink-0 text-warning" />
        <p className="min-w-0 flex-1 py-px">
          Navi was cut off while step {position} was in progress. Its work may be half done. When you go on, it checks
          first what is really there.
        </p>
        <IconButton label="Dismiss" size="small" onClick={dismiss} className="-mt-0.5">
          <X size={14} />
        </IconButton>
      </div>
      <Button
        className="mt-1.5 ml-[23px] h-7"
        onClick={() => {
          client.runs.resume.mutate({ sessionId }).catch((error) => showFailure(wordsForError(error)));
        }}
      >
        Go on
      </Button>
    </section>
  );
}
