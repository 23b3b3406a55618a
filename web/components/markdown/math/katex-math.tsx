/** Draws formulas with KaTeX. Loaded only when a message holds one. */
import katex from 'katex';
import { use, useLayoutEffect, useRef, useState } from 'react';
import { MarkdownContext } from '../render/context';
import type { MathProps } from './lazy-math';
import { MathSource } from './math-source-view';
import 'katex/dist/katex.min.css';

/** All formulas of a message may take this long together; the rest stays source. A usual formula takes about 1 ms. */
const MESSAGE_BUDGET_MS = 250;
/** A longer formula is a table of numbers or an attack: 4 KB of matrix makes about 480 kB of markup. */
const MAX_SOURCE_LENGTH = 4000;

/** Commands that KaTeX refuses without trust: it would draw their names and drop their content. */
const REFUSED = /\\(?:href|url|includegraphics|html(?:Class|Id|Style|Data))(?![a-zA-Z])/;

const OPTIONS = {
  throwOnError: true,
  trust: false,
  strict: 'ignore',
  /** In em: `\\[99999em]` or `\rule{9999em}{…}` may not push the page away. */
  maxSize: 20,
  /** Expansions of macros: enough for real notation, too few for a bomb. */
  maxExpand: 300,
} as const;

export default function KatexMath(props: MathProps) {
  const { text, isDisplay } = props;
  const { mathTime } = use(MarkdownContext);
  const target = useRef<HTMLSpanElement>(null);
  const [error, setError] = useState<string | null>(null);

  useLayoutEffect(() => {
    const element = target.current;
    if (!element) return;
    const problem = draw(element, { text, isDisplay, mathTime });
    if (problem) {
      element.replaceChildren();
      setError(problem);
    }
  }, [text, isDisplay, mathTime]);

  if (error) return <MathSource {...props} error={error} />;
  return <span ref={target} dir="ltr" className={isDisplay ? 'md-katex md-katex-display' : 'md-katex'} />;
}

/** Draws into the element. Returns what is wrong with the formula, or null. */
function draw(
  element: HTMLElement,
  formula: { text: string; isDisplay: boolean; mathTime: { spentMs: number } },
): string | null {
  if (formula.text.length > MAX_SOURCE_LENGTH) return 'Too long to be drawn';
  if (REFUSED.test(formula.text)) return 'Not drawn: links and images have no place in a formula';
  if (formula.mathTime.spentMs > MESSAGE_BUDGET_MS) return 'Not drawn: this message holds too much mathematics';
  const startedAtMs = performance.now();
  try {
    katex.render(formula.text, element, { ...OPTIONS, displayMode: formula.isDisplay });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^KaTeX parse error: /, '') : 'Not a formula';
  } finally {
    formula.mathTime.spentMs += performance.now() - startedAtMs;
  }
}
