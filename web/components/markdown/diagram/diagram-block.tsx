import { useEffect, useRef, useState } from 'react';
import { useInView } from '../../../lib/use-in-view';
import { CodeFrame } from '../code/code-frame';
import { useThemeKey } from './use-theme';

type Drawing =
  | { state: 'waiting' }
  | { state: 'drawn'; url: string; widthPx: number; heightPx: number }
  | { state: 'failed'; reason: string };

/** A drawing shrinks to the column down to this; then it scrolls, or its words could not be read. */
const SMALLEST_SCALE = 0.7;

/**
 * A Mermaid diagram. The library loads when one comes into view. The drawing is shown as an image: nothing in it can run, load
 * or style anything. What cannot be drawn is shown as its source, with the reason.
 */
export function DiagramBlock({ source }: { source: string }) {
  const frame = useRef<HTMLDivElement>(null);
  const isInView = useInView(frame);
  const themeKey = useThemeKey();
  const [drawing, setDrawing] = useState<Drawing>({ state: 'waiting' });
  const [isSourceShown, setIsSourceShown] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme asks for another drawing
  useEffect(() => {
    if (!isInView) return;
    let isCancelled = false;
    import('./draw')
      .then((module) => module.drawDiagram(source))
      .catch(() => ({ state: 'failed', reason: 'The diagram viewer could not be loaded.' }) as const)
      .then((result) => {
        if (!isCancelled) setDrawing(result);
      });
    return () => {
      isCancelled = true;
    };
  }, [source, isInView, themeKey]);

  const isDiagramShown = drawing.state === 'drawn' && !isSourceShown;
  const tools = drawing.state === 'drawn' && (
    <button
      type="button"
      className="md-tool"
      aria-pressed={isSourceShown}
      onClick={() => setIsSourceShown(!isSourceShown)}
    >
      Source
    </button>
  );
  return (
    <div ref={frame}>
      <CodeFrame name="Diagram" text={source} tools={tools}>
        {drawing.state === 'failed' && (
          <p className="md-diagram-note" role="note">
            {drawing.reason}
          </p>
        )}
        {isDiagramShown ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
          <div className="md-diagram" tabIndex={0}>
            <img
              src={drawing.url}
              width={drawing.widthPx}
              height={drawing.heightPx}
              style={{ minWidth: Math.round(drawing.widthPx * SMALLEST_SCALE) }}
              alt={describeDiagram(source)}
            />
          </div>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
          <pre className="md-pre" tabIndex={0}>
            <code>{source}</code>
          </pre>
        )}
      </CodeFrame>
    </div>
  );
}

/** The description of the drawing for those who cannot see it: its source says most. */
function describeDiagram(source: string): string {
  const text = source.replace(/\s+/g, ' ').trim();
  return `Diagram: ${text.length > 400 ? `${text.slice(0, 400)}…` : text}`;
}
