import { WrapText } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { Virtualizer } from 'virtua';
import { IconButton } from '../../../../components/button';
import { CodeLine } from '../../../../components/markdown/code/code-lines';
import { nameLanguage } from '../../../../components/markdown/code/language-name';
import { useHighlight } from '../../../../components/markdown/code/use-highlight';
import { cx } from '../../../../lib/class-names';
import { plural } from '../../../../lib/format';
import '../../../../styles/markdown.css';
import '../../../../styles/markdown-code.css';
import { readText, useFile } from '../use-file';
import type { ViewerProps } from '../viewer';
import { Loading, Words } from '../words';
import { languageOf } from './language-of';

/** Longest line that is laid out whole, in characters: minified files have lines of megabytes. */
const MAX_LINE_CHARS = 5_000;

/** Text and source: numbered lines, of which only those in view exist, in the colours of their language. */
export default function TextViewer({ file }: ViewerProps) {
  const text = useFile(file, readText);
  if (text.state === 'loading') return <Loading />;
  if (text.state === 'failed') return <Words file={file}>{text.words}</Words>;
  return (
    <Lines text={text.value} name={file.name} language={file.kind === 'source' ? languageOf(file.name) : 'text'} />
  );
}

function Lines({ text, name, language }: { text: string; name: string; language: string }) {
  const scroller = useRef<HTMLElement>(null);
  const [isWrapped, setIsWrapped] = useState(language === 'text');
  const source = useMemo(() => text.replace(/\r\n?/g, '\n').replace(/\n$/, ''), [text]);
  const lines = useMemo(() => source.split('\n'), [source]);
  const coloured = useHighlight({ text: source, language, isClosed: true });
  const gutter = `${Math.max(2, String(lines.length).length) + 2}ch`;
  return (
    <div className="flex h-full w-full flex-col">
      <section
        ref={scroller}
        aria-label={name}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        dir="ltr"
        className="md min-h-0 flex-1 overflow-auto py-2 font-mono text-[0.8rem] leading-[1.55] outline-offset-[-2px]"
      >
        <div className={cx(!isWrapped && 'w-max min-w-full')}>
          <Virtualizer data={lines} scrollRef={scroller} startMargin={8}>
            {(line, index) => (
              <div key={index} className="flex pr-4">
                <span
                  aria-hidden
                  style={{ width: gutter }}
                  className="tabular sticky left-0 shrink-0 select-none bg-[inherit] pr-[1.2ch] text-right text-faint"
                >
                  {index + 1}
                </span>
                <code
                  className={cx(
                    'min-w-0 [tab-size:4]',
                    isWrapped ? 'whitespace-pre-wrap [overflow-wrap:anywhere]' : 'whitespace-pre',
                  )}
                >
                  <Line line={line} tokens={coloured[index]} />
                </code>
              </div>
            )}
          </Virtualizer>
        </div>
      </section>
      <div className="flex items-center gap-2 border-line border-t py-0.5 pr-1 pl-3 text-faint text-small">
        <span className="tabular flex-1">
          {nameLanguage(language)} · {plural(lines.length, 'line')}
        </span>
        <IconButton
          size="small"
          label={isWrapped ? 'Do not wrap lines' : 'Wrap lines'}
          aria-pressed={isWrapped}
          onClick={() => setIsWrapped(!isWrapped)}
          className={cx(isWrapped && 'text-accent')}
        >
          <WrapText size={14} />
        </IconButton>
      </div>
    </div>
  );
}

function Line({ line, tokens }: { line: string; tokens: Parameters<typeof CodeLine>[0]['tokens'] | undefined }) {
  const [isWhole, setIsWhole] = useState(false);
  if (line === '') return '\u200b';
  if (line.length > MAX_LINE_CHARS && !isWhole) {
    return (
      <>
        {line.slice(0, MAX_LINE_CHARS)}
        <button type="button" onClick={() => setIsWhole(true)} className="text-accent hover:underline">
          … {plural(line.length - MAX_LINE_CHARS, 'more character')}
        </button>
      </>
    );
  }
  return tokens === undefined ? line : <CodeLine tokens={tokens} />;
}
