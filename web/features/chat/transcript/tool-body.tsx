import { Check, Copy } from 'lucide-react';
import { useContext } from 'react';
import type { PagedMessage, ToolCall } from '../../../../server/domains/messages/schema';
import { IconButton } from '../../../components/button';
import { useCopy } from '../../../lib/use-copy';
import { ChatSlotsContext } from '../chat-context';
import { JsonView } from './json-view';
import { LongText } from './long-text';
import { RecordTable } from './record-table';
import { readRecords } from './records';
import { readResult } from './result';

interface ToolBodyProps {
  call: ToolCall;
  result: PagedMessage | null;
}

/** What went in and what came out, each in the form that suits it. */
export function ToolBody({ call, result }: ToolBodyProps) {
  const { toolImages } = useContext(ChatSlotsContext);
  const hasArguments = isRecord(call.arguments) ? Object.keys(call.arguments).length > 0 : call.arguments != null;
  return (
    <div className="mt-1 mb-2.5 ml-6 overflow-hidden rounded-card border border-line bg-raised text-meta">
      {hasArguments && (
        <Section title="Asked" copyable={toText(call.arguments)}>
          <Arguments value={call.arguments} />
        </Section>
      )}
      {result === null ? (
        <p className="border-line border-t px-3 py-2 text-faint first:border-t-0">No result yet.</p>
      ) : (
        <Section title="Result" copyable={result.content}>
          <Result text={result.content} />
          {toolImages?.(result)}
        </Section>
      )}
    </div>
  );
}

interface SectionProps {
  title: string;
  copyable: string;
  children: React.ReactNode;
}

function Section({ title, copyable, children }: SectionProps) {
  const [isCopied, copy] = useCopy();
  return (
    <section className="border-line border-t first:border-t-0">
      <header className="flex h-8 items-center justify-between pr-1 pl-3">
        <h2 className="text-faint text-small">{title}</h2>
        <IconButton
          size="small"
          label={isCopied ? 'Copied' : `Copy ${title.toLowerCase()}`}
          onClick={() => copy(copyable)}
        >
          {isCopied ? <Check size={13} /> : <Copy size={13} />}
        </IconButton>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <div tabIndex={0} className="max-h-80 overflow-auto px-3 pb-2.5">
        {children}
      </div>
    </section>
  );
}

/** Short values stand as a table of names and values; anything deeper as a tree. */
function Arguments({ value }: { value: unknown }) {
  if (!isRecord(value)) return <JsonView value={value} />;
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
      {Object.entries(value).map(([name, inner]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 whitespace-pre-wrap font-mono text-[0.78rem] [overflow-wrap:anywhere]">
            {typeof inner === 'string' ? <LongText text={inner} /> : <JsonView value={inner} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Result({ text }: { text: string }) {
  const { head, value } = readResult(text);
  if (value !== null) {
    const table = readRecords(value);
    return (
      <>
        {head !== '' && <p className="whitespace-pre-wrap pb-2 text-muted [overflow-wrap:anywhere]">{head}</p>}
        {table === null ? <JsonView value={value} /> : <RecordTable table={table} />}
      </>
    );
  }
  if (text.trim() === '') return <p className="text-faint">Nothing came back.</p>;
  return (
    <pre dir="auto" className="whitespace-pre-wrap font-mono text-[0.78rem] leading-relaxed [overflow-wrap:anywhere]">
      <LongText text={text} />
    </pre>
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));
