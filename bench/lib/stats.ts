/** Quantiles and ratios of measurements. Medians, because the machine does other things too. */

/** The value below which the share `q` (0 to 1) of the values lies. NaN for none. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Three significant digits, without trailing zeros. */
export const format = (value: number): string => String(Number(value.toPrecision(3)));

/** `p50 / p95` in milliseconds. */
export const formatTimes = (values: readonly number[]): string =>
  `p50 ${format(median(values))} ms, p95 ${format(quantile(values, 0.95))} ms`;

/** Milliseconds that `work` took. */
export async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now();
  await work();
  return performance.now() - startedAtMs;
}
