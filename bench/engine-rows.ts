/** What the benchmarks of the pure engines return, one entry per figure, and how they become a row of the table. */
import type { Result } from './lib/row';

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

/** Many measurements as one row of the table: what each came to, and which missed. */
export function toResult(rows: readonly BenchRow[], show: (row: BenchRow) => string): Result {
  const missed = rows.filter((row) => !row.isMet);
  for (const row of rows)
    process.stdout.write(`  ${row.name}: ${row.median} ${row.unit}${figureOf(row)}; ${row.detail}\n`);
  return {
    measured: `${rows
      .map(show)
      .filter((text) => text !== '')
      .join('; ')}${missed.length === 0 ? '' : `; missed: ${missed.map((row) => row.name).join(', ')}`}`,
    passed: missed.length === 0,
    values: Object.fromEntries(rows.map((row) => [row.name, row.median])),
  };
}

const figureOf = ({ figure, isMet }: BenchRow): string =>
  figure === null ? '' : ` (figure ${figure}, ${isMet ? 'met' : 'MISSED'})`;
