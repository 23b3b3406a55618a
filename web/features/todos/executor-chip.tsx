import { Bot, UserRound, Wrench } from 'lucide-react';
import { cx } from '../../lib/class-names';

/** Who does a step: `tool: web_fetch`, `agent: coder`, `self`. What a model wrote may be another kind. */
export interface ShownExecutor {
  kind: string;
  name: string | null;
}

const icons = { tool: Wrench, agent: Bot, self: UserRound };
const names: Record<string, string> = { tool: 'Tool', agent: 'Agent', self: 'Navi itself' };

/** `Tool: web_fetch`, `Navi itself`. */
export function executorWords({ kind, name }: ShownExecutor): string {
  const words = names[kind] ?? kind;
  return name === null ? words : `${words}: ${name}`;
}

export function ExecutorChip({ executor, className }: { executor: ShownExecutor; className?: string }) {
  const Icon = icons[executor.kind as keyof typeof icons] ?? UserRound;
  const kind = names[executor.kind] ?? executor.kind;
  return (
    <span
      title={executorWords(executor)}
      className={cx(
        'inline-flex max-w-full shrink-0 items-center gap-1 rounded-full border border-line px-2 py-px text-muted text-small',
        className,
      )}
    >
      <Icon size={11} aria-hidden className="shrink-0 text-faint" />
      {executor.name !== null && <span className="sr-only">{kind}: </span>}
      <span className="truncate">{executor.name ?? kind}</span>
    </span>
  );
}
