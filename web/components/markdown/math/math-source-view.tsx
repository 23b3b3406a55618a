import type { MathProps } from './lazy-math';

/** A formula as written, quietly. `error` says why it is not drawn. */
export function MathSource({ source, isDisplay, error }: MathProps & { error?: string }) {
  return (
    <code
      className={isDisplay ? 'md-math md-math-display' : 'md-math'}
      dir="ltr"
      title={error}
      data-error={error ? '' : undefined}
    >
      {source}
    </code>
  );
}
