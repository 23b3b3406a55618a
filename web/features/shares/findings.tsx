import { ShieldAlert, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { SecretFinding, SharesCheck } from '../../../server/domains/shares/schema';
import { Button } from '../../components/button';
import { formatCount, plural } from '../../lib/format';

const placeWords: Record<SecretFinding['place'], string> = {
  name: 'in the chat’s name',
  text: 'in a message',
  thinking: 'in the thinking',
  'tool-call': 'in a tool call',
  'tool-result': 'in a tool’s result',
  plan: 'in a plan',
  'file-name': 'in a file’s name',
  artifact: 'in a published file',
};
/** More fold away behind a line. */
const SHOWN = 5;

interface FindingsProps {
  sessionId: string;
  check: SharesCheck;
  /** Somebody goes to a place in the chat. */
  onLeave(): void;
}

/** Likely secrets with their places; or that none were found, and what that is worth. */
export function Findings({ sessionId, check, onLeave }: FindingsProps) {
  const { findings, isComplete, checkedMessages, uncheckedFiles } = check;
  const [isWhole, setIsWhole] = useState(false);
  const gaps = [
    ...(isComplete
      ? []
      : [`Only the newest ${formatCount(checkedMessages)} messages were looked at; the chat is longer.`]),
    ...(uncheckedFiles === 0
      ? []
      : [`Not looked into: ${plural(uncheckedFiles, 'published file')}, too long or no plain text.`]),
  ];
  const rest = gaps.length === 0 ? null : gaps.join(' ');
  if (findings.length === 0) {
    return (
      <p className="flex items-start gap-2.5 text-meta text-muted">
        <ShieldCheck size={15} strokeWidth={1.75} aria-hidden className="mt-0.5 shrink-0 text-done" />
        <span>
          No passwords or keys were recognised in {plural(checkedMessages, 'message')}.{' '}
          {rest ?? 'Look yourself as well.'}
        </span>
      </p>
    );
  }
  const shown = isWhole ? findings : findings.slice(0, SHOWN);
  return (
    <section
      aria-label="Likely secrets"
      className="rounded-card border border-[color-mix(in_oklab,var(--warning)_40%,var(--line))] bg-warning-soft px-3.5 py-3"
    >
      <p className="flex items-center gap-2.5 font-medium text-sm">
        <ShieldAlert size={17} strokeWidth={1.75} aria-hidden className="shrink-0 text-warning" />
        {plural(findings.length, 'likely secret')} {check.isShared ? 'can' : 'would'} be seen
      </p>
      <ul className="mt-2 divide-y divide-[color-mix(in_oklab,var(--warning)_18%,transparent)]">
        {shown.map((finding, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is read once and never changes.
          <li key={index} className="flex items-center gap-3 py-1.5">
            <div className="min-w-0 flex-1">
              <p className="text-meta">
                {finding.kind} <span className="text-muted">{placeWords[finding.place]}</span>
              </p>
              <p dir="auto" className="truncate font-mono text-[0.75rem] text-muted">
                {finding.excerpt}
              </p>
            </div>
            {finding.sequenceNumber !== null && (
              <ShowPlace sessionId={sessionId} sequenceNumber={finding.sequenceNumber} onLeave={onLeave} />
            )}
          </li>
        ))}
      </ul>
      {findings.length > shown.length && (
        <Button look="quiet" className="mt-1 -ml-2" onClick={() => setIsWhole(true)}>
          Show {formatCount(findings.length - shown.length)} more
        </Button>
      )}
      {rest !== null && <p className="mt-2 text-meta text-muted">{rest}</p>}
    </section>
  );
}

/** Goes to the message, in this chat or after opening it. */
function ShowPlace({ sessionId, sequenceNumber, onLeave }: Omit<FindingsProps, 'check'> & { sequenceNumber: number }) {
  const [path, navigate] = useLocation();
  const target = `/s/${sessionId}`;
  return (
    <Button
      look="quiet"
      aria-label={`Show message ${sequenceNumber}`}
      onClick={() => {
        onLeave();
        if (path === target) location.hash = `m${sequenceNumber}`;
        else navigate(`${target}#m${sequenceNumber}`);
      }}
    >
      Show
    </Button>
  );
}
