import { plural } from '../../../lib/format';

interface JsonViewProps {
  value: unknown;
  depth?: number;
}

/** Deeper and longer than this stays folded, so that a large result opens at once. */
const OPEN_DEPTH = 1;
const MAX_SHOWN = 100;

/** A value as a tree that folds. Native details: no state, works by keyboard. */
export function JsonView({ value, depth = 0 }: JsonViewProps) {
  if (typeof value !== 'object' || value === null) return <Leaf value={value} />;
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  if (entries.length === 0)
    return <span className="font-mono text-[0.78rem] text-faint">{isList ? '[ ]' : '{ }'}</span>;
  return (
    <details open={depth <= OPEN_DEPTH} className="font-mono text-[0.78rem]">
      <summary className="w-fit rounded-control text-faint marker:text-faint">
        {plural(entries.length, isList ? 'item' : 'field')}
      </summary>
      <ul className="border-line border-l pl-3">
        {entries.slice(0, MAX_SHOWN).map(([name, inner]) => (
          <li key={name} className="flex gap-2 py-px [overflow-wrap:anywhere]">
            <span className="shrink-0 text-muted">{name}</span>
            <JsonView value={inner} depth={depth + 1} />
          </li>
        ))}
        {entries.length > MAX_SHOWN && <li className="text-faint">and {entries.length - MAX_SHOWN} more</li>}
      </ul>
    </details>
  );
}

function Leaf({ value }: { value: unknown }) {
  const look = typeof value === 'string' ? 'text-text whitespace-pre-wrap' : 'text-accent';
  return (
    <span dir="auto" className={`min-w-0 font-mono text-[0.78rem] ${look}`}>
      {typeof value === 'string' ? value : String(value)}
    </span>
  );
}
