import { Markdown } from '../../../../components/markdown/markdown';
import { readText, useFile } from '../use-file';
import type { ViewerProps } from '../viewer';
import { Loading, Words } from '../words';

/** A Markdown document, with the renderer of messages: nothing in it is HTML, and images elsewhere wait for a click. */
export default function MarkdownViewer({ file }: ViewerProps) {
  const text = useFile(file, readText);
  if (text.state === 'loading') return <Loading />;
  if (text.state === 'failed') return <Words file={file}>{text.words}</Words>;
  return (
    <section
      aria-label={file.name}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      className="h-full w-full overflow-y-auto outline-offset-[-2px]"
    >
      <div dir="auto" className="mx-auto max-w-[760px] px-5 py-4 text-read [overflow-wrap:anywhere] sm:px-6">
        {text.value.trim() === '' ? <p className="text-faint">This document is empty.</p> : null}
        <Markdown text={text.value} isStreaming={false} />
      </div>
    </section>
  );
}
