import { ShieldQuestion } from 'lucide-react';
import { useState } from 'react';
import type { Approval } from '../../../../server/events/topics';
import { Button } from '../../../components/button';
import { useChatActions } from '../chat-context';
import { questionForCall } from './tool-words';

const risks: Record<Approval['risk'], string> = {
  read: 'It only reads.',
  write: 'It changes files in the workspace.',
  execute: 'It runs on the machine that Navi runs on.',
  network: 'It reaches out to the network.',
};

/** A call that waits for a person, with exactly what would be done. Any tab can answer. */
export function ApprovalCard({ approval }: { approval: Approval }) {
  const actions = useChatActions();
  const [isAnswering, setIsAnswering] = useState(false);
  const answer = async (decision: 'approved' | 'denied', forSession = false) => {
    setIsAnswering(true);
    await actions.approve({ toolCallId: approval.toolCallId, decision, forSession });
    setIsAnswering(false);
  };
  return (
    <section
      aria-label={`Approval: ${questionForCall(approval.toolName)}`}
      className="my-2 rounded-card border border-[color-mix(in_oklab,var(--warning)_40%,var(--line))] bg-warning-soft px-3.5 py-3"
    >
      <p className="flex items-center gap-2.5 text-sm font-medium">
        <ShieldQuestion size={17} strokeWidth={1.75} aria-hidden className="shrink-0 text-warning" />
        {questionForCall(approval.toolName)}
      </p>
      <div className="mt-2 space-y-1.5 pl-[27px]">
        <ExactCall value={approval.arguments} />
        <p className="text-meta text-muted">{risks[approval.risk]}</p>
        <div className="flex flex-wrap gap-2 pt-1.5">
          <Button look="primary" disabled={isAnswering} onClick={() => void answer('approved')}>
            Allow
          </Button>
          {approval.mayHoldForSession && (
            <Button
              disabled={isAnswering}
              title="Navi will not ask again before such calls in this chat"
              onClick={() => void answer('approved', true)}
            >
              Allow for this chat
            </Button>
          )}
          <Button disabled={isAnswering} onClick={() => void answer('denied')}>
            Deny
          </Button>
        </div>
      </div>
    </section>
  );
}

function ExactCall({ value }: { value: unknown }) {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [['', value] as const];
  return (
    <dl className="space-y-1.5">
      {entries.map(([name, inner]) => (
        <div key={name}>
          {entries.length > 1 && <dt className="text-small text-muted">{name}</dt>}
          <dd
            dir="auto"
            className="max-h-60 overflow-auto whitespace-pre-wrap rounded-control border border-line bg-raised px-2.5 py-1.5 font-mono text-[0.8rem] [overflow-wrap:anywhere]"
          >
            {typeof inner === 'string' ? inner : JSON.stringify(inner, null, 2)}
          </dd>
        </div>
      ))}
    </dl>
  );
}
