import {
  AppWindow,
  Ban,
  Bot,
  ChevronRight,
  Clock,
  FileOutput,
  FileText,
  FolderOpen,
  Globe,
  Image,
  ListChecks,
  type LucideIcon,
  NotebookPen,
  Search,
  SquarePen,
  SquareTerminal,
  Wrench,
} from 'lucide-react';
import { memo, useContext, useState } from 'react';
import { Spinner } from '../../../components/spinner';
import { cx } from '../../../lib/class-names';
import { formatDuration } from '../../../lib/format';
import { ChatSlotsContext } from '../chat-context';
import type { CallView } from '../stream/items';
import { ToolBody } from './tool-body';
import { stateOfCall, wordsForCall } from './tool-words';

const icons: Record<string, LucideIcon> = {
  read_file: FileText,
  write_file: SquarePen,
  list_files: FolderOpen,
  search_files: Search,
  web_fetch: Globe,
  run_command: SquareTerminal,
  content_publish: AppWindow,
  share_file: FileOutput,
  image_view: Image,
  current_time: Clock,
  scratchpad: NotebookPen,
  spawn_agent: Bot,
  todo: ListChecks,
  protocol: ListChecks,
};

const outcomes: Record<string, { label: string; look: string }> = {
  failed: { label: 'failed', look: 'text-failed' },
  'timed-out': { label: 'timed out', look: 'text-failed' },
  denied: { label: 'not allowed', look: 'text-muted' },
  stopped: { label: 'stopped', look: 'text-muted' },
  interrupted: { label: 'interrupted', look: 'text-warning' },
};

/** One call in one row: what, on what, how long, how it ended. Opens to what went in and came out. */
export const ToolRow = memo(function ToolRow({ view }: { view: CallView }) {
  const [isOpen, setIsOpen] = useState(false);
  const { call, result, live } = view;
  const { status, isRunning, isDone } = stateOfCall(view);
  const { verb, object } = wordsForCall(call.name, call.arguments, isDone);
  const Icon = status === 'denied' ? Ban : (icons[call.name] ?? Wrench);
  const outcome = outcomes[status];
  const durationMs = result?.metadata.durationMs;
  const { subagentCard } = useContext(ChatSlotsContext);
  const isSpawn = call.name === 'spawn_agent';
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="group/tool flex min-h-8 w-full items-center gap-2 rounded-control text-left text-meta text-muted hover:text-text"
      >
        {isRunning ? (
          <Spinner className="mx-px" />
        ) : (
          <Icon size={15} strokeWidth={1.75} aria-hidden className={cx('shrink-0', outcome?.look ?? 'text-faint')} />
        )}
        <span className="flex min-w-0 items-baseline gap-1.5">
          <span className="shrink-0">{verb}</span>
          {object !== null && (
            <span dir="auto" className="truncate font-mono text-[0.78rem] text-text">
              {object}
            </span>
          )}
        </span>
        {outcome !== undefined && <span className={cx('shrink-0', outcome.look)}>{outcome.label}</span>}
        {durationMs !== undefined && status !== 'denied' && (
          <span className="tabular shrink-0 text-faint text-small">{formatDuration(durationMs)}</span>
        )}
        <ChevronRight
          size={14}
          aria-hidden
          className={cx(
            'shrink-0 text-faint opacity-0 transition-[transform,opacity] duration-150 group-hover/tool:opacity-100 group-focus-visible/tool:opacity-100',
            isOpen && 'rotate-90 opacity-100',
          )}
        />
      </button>
      {isSpawn && subagentCard?.(call.id)}
      {isRunning && live !== null && live.progress !== null && !(isSpawn && subagentCard !== undefined) && (
        <p className="truncate pb-1 pl-6 text-faint text-small">{live.progress}</p>
      )}
      {isOpen && <ToolBody call={call} result={result} />}
    </div>
  );
});
