import { ArrowUpDown, Minus, Pencil, Plus } from 'lucide-react';
import { StatusIcon } from '../panel/status-icon';
import { changeWords, type RevisionChange } from '../plan/revision-diff';

/** One change of a version: a sign, a word, the step. */
export function ChangeLine({ change }: { change: RevisionChange }) {
  return (
    <li className="flex items-start gap-2 text-meta">
      <span aria-hidden className="inline-flex h-[1.3rem] w-4 shrink-0 items-center justify-center text-faint">
        <Sign change={change} />
      </span>
      <span dir="auto" className="line-clamp-3 min-w-0 [overflow-wrap:anywhere]">
        <span className="text-faint">{changeWords(change)}</span>{' '}
        <span className={change.kind === 'removed' ? 'text-muted line-through' : undefined}>{change.text}</span>
        {change.kind === 'reworded' && <span className="text-faint"> (was: {change.from})</span>}
      </span>
    </li>
  );
}

function Sign({ change }: { change: RevisionChange }) {
  const icon = { size: 13, strokeWidth: 2 };
  switch (change.kind) {
    case 'added':
      return <Plus {...icon} />;
    case 'removed':
      return <Minus {...icon} />;
    case 'status':
      return <StatusIcon status={change.to} size={14} />;
    case 'moved':
      return <ArrowUpDown {...icon} />;
    default:
      return <Pencil {...icon} />;
  }
}
