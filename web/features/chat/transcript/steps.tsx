import { ChevronRight } from 'lucide-react';
import { memo, useContext, useState } from 'react';
import { cx } from '../../../lib/class-names';
import { plural } from '../../../lib/format';
import { PrintContext } from '../../../lib/print';
import type { StepEntry } from '../stream/items';
import { ApprovalCard } from './approval-card';
import { MessageFrame } from './message-frame';
import { Thinking } from './thinking';
import { ToolRow } from './tool-row';

/** This many rows still stand open; more fold into one line. */
const UNFOLDED_ENTRIES = 2;

interface StepsProps {
  entries: readonly StepEntry[];
  isInContext: boolean;
  /** More may join while the run goes on: what runs now stays in sight. */
  isOpenEnded: boolean;
}

/** Consecutive tool calls. Many of them fold into "7 steps"; what runs or asks is never folded away. */
export const Steps = memo(function Steps({ entries, isInContext, isOpenEnded }: StepsProps) {
  const isPrinted = useContext(PrintContext);
  const [isUnfoldedByHand, setIsUnfolded] = useState(false);
  const isUnfolded = isPrinted || isUnfoldedByHand;
  const asking = entries.filter((entry) => entry.kind === 'call' && entry.view.approval);
  const rest = entries.filter((entry) => !asking.includes(entry));
  const isFoldable = rest.length > UNFOLDED_ENTRIES;
  const inSight = !isFoldable || isUnfolded ? rest : isOpenEnded ? atWork(rest) : [];
  const failed = rest.filter((entry) => entry.kind === 'call' && isFailed(entry)).length;
  return (
    <MessageFrame isInContext={isInContext} className="py-0.5">
      {isFoldable && (
        <button
          type="button"
          aria-expanded={isUnfolded}
          onClick={() => setIsUnfolded(!isUnfolded)}
          className="flex min-h-8 items-center gap-1 rounded-control text-meta text-muted hover:text-text"
        >
          <ChevronRight
            size={14}
            aria-hidden
            className={cx('shrink-0 transition-transform duration-150', isUnfolded && 'rotate-90')}
          />
          <span className="tabular">{plural(rest.length, 'step')}</span>
          {failed > 0 && <span className="tabular text-failed">· {failed} failed</span>}
        </button>
      )}
      {inSight.length > 0 && (
        <ol className={cx(isFoldable && 'ml-[7px] border-line border-l pl-3')}>
          {inSight.map((entry) => (
            <li key={entry.key}>
              {entry.kind === 'call' ? (
                <ToolRow view={entry.view} />
              ) : (
                <Thinking thinking={entry.thinking} thinkingMs={entry.thinkingMs} isLive={false} />
              )}
            </li>
          ))}
        </ol>
      )}
      {asking.map((entry) =>
        entry.kind === 'call' && entry.view.approval ? (
          <ApprovalCard key={entry.key} approval={entry.view.approval} />
        ) : null,
      )}
    </MessageFrame>
  );
});

/** What runs now, or else the latest: subagents work side by side. */
function atWork(entries: readonly StepEntry[]): readonly StepEntry[] {
  const running = entries.filter(
    (entry) => entry.kind === 'call' && entry.view.live !== null && entry.view.result === null,
  );
  return running.length > 0 ? running : entries.slice(-1);
}

function isFailed(entry: StepEntry): boolean {
  if (entry.kind !== 'call') return false;
  const status = entry.view.result?.metadata.toolStatus;
  return status === 'failed' || status === 'timed-out';
}
