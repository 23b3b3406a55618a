/** What a row of the table is. */
import type { Bench } from './bench';

export interface Result {
  /** The measured figures, as the table shows them. */
  measured: string;
  /** Null for rows that only inform. */
  passed: boolean | null;
  /** Raw figures for the JSON file. */
  values: Record<string, number>;
}

export interface Row {
  /** For `--only`. */
  id: string;
  what: string;
  /** What must hold, as the table shows it. */
  figure: string;
  run(bench: Bench): Promise<Result>;
}
