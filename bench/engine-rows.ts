/** What the benchmarks of the pure engines return, one row per figure. */
export interface BenchRow {
  name: string;
  unit: string;
  median: number;
  /** What must hold; null where a number is only reported. */
  figure: number | null;
  isMet: boolean;
  /** Everything else worth reading, on one line. */
  detail: string;
}

export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

export function printRows(rows: readonly BenchRow[]): void {
  for (const row of rows) {
    const figure = row.figure === null ? '' : ` (figure ${row.figure}, ${row.isMet ? 'met' : 'MISSED'})`;
    process.stdout.write(`${row.name}: ${row.median} ${row.unit}${figure}\n    ${row.detail}\n`);
  }
}
