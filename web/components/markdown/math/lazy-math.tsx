/** A formula, shown as its source until KaTeX is there. */
export function LazyMath({
  source,
  isDisplay,
}: {
  text: string;
  source: string;
  isDisplay: boolean;
  isPending?: boolean;
}) {
  return (
    <code className={isDisplay ? 'md-math md-math-display' : 'md-math'} dir="ltr">
      {source}
    </code>
  );
}
