import { lazy, Suspense, useState } from 'react';
import { CodeFrame } from './code-frame';
import { CodeLines } from './code-lines';
import { nameLanguage, readLanguage } from './language-name';
import { useHighlight } from './use-highlight';

const DiagramBlock = lazy(() =>
  import('../diagram/diagram-block')
    .then((module) => ({ default: module.DiagramBlock }))
    .catch(() => ({ default: DiagramSource })),
);

interface CodeBlockProps {
  text: string;
  /** What stands behind the opening fence. */
  info: string;
  /** No more lines will come. */
  isClosed: boolean;
}

/** A block of code with its language, copying and wrapping; a finished Mermaid block becomes a diagram. */
export function CodeBlock({ text, info, isClosed }: CodeBlockProps) {
  const language = readLanguage(info);
  if (language === 'mermaid' && isClosed) {
    return (
      <Suspense fallback={<DiagramSource source={text} />}>
        <DiagramBlock source={text} />
      </Suspense>
    );
  }
  return <PlainCode text={text} language={language} isClosed={isClosed} />;
}

/** What stands for a diagram until, or instead of, its viewer. */
function DiagramSource({ source }: { source: string }) {
  return <PlainCode text={source} language="mermaid" isClosed />;
}

function PlainCode({ text, language, isClosed }: { text: string; language: string; isClosed: boolean }) {
  const [isWrapped, setIsWrapped] = useState(false);
  const coloured = useHighlight({ text, language, isClosed });
  const name = nameLanguage(language);
  const tools = (
    <button type="button" className="md-tool" aria-pressed={isWrapped} onClick={() => setIsWrapped(!isWrapped)}>
      Wrap
    </button>
  );
  return (
    <CodeFrame name={name} text={text} tools={tools}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard */}
      <pre className={isWrapped ? 'md-pre md-pre-wrapped' : 'md-pre'} tabIndex={0}>
        <code>
          <CodeLines text={text} coloured={coloured} />
        </code>
      </pre>
    </CodeFrame>
  );
}
