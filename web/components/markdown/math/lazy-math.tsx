import { lazy, memo, Suspense } from 'react';
import { MathSource } from './math-source-view';

export interface MathProps {
  text: string;
  /** The formula as written, with its marks: shown until, or instead of, the drawn one. */
  source: string;
  isDisplay: boolean;
}

const KatexMath = lazy(() => import('./katex-math').catch(() => ({ default: MathSource })));

/** A formula: its source until KaTeX, which loads with the first formula shown, has drawn it. */
export const LazyMath = memo(function LazyMath({ isPending, ...props }: MathProps & { isPending?: boolean }) {
  const source = <MathSource {...props} />;
  return isPending ? (
    source
  ) : (
    <Suspense fallback={source}>
      <KatexMath {...props} />
    </Suspense>
  );
});
