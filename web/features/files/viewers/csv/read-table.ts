/** A table out of separated values, with what is needed to show and sort it. */
import { readText, Unreadable } from '../use-file';
import type { CsvMessage } from './csv.worker';

export interface Table {
  head: readonly string[];
  rows: readonly (readonly string[])[];
  /** Whether a column holds numbers, for its side and its order. */
  isNumeric: readonly boolean[];
  /** Characters of the longest of its first values, within reason. */
  widths: readonly number[];
  /** More rows were there than are shown. */
  isCut: boolean;
}

/** Rows that are looked at to judge a column. */
const SAMPLE = 200;
const MAX_COLUMNS = 500;

export async function readTable(blob: Blob, signal: AbortSignal): Promise<Table> {
  const text = await readText(blob);
  const worker = new Worker(new URL('./csv.worker.ts', import.meta.url), { type: 'module' });
  const rows: string[][] = [];
  try {
    const isCut = await new Promise<boolean>((resolve, reject) => {
      const fail = () => reject(new Unreadable('This table could not be read. It may be damaged.'));
      worker.onmessage = ({ data }: MessageEvent<CsvMessage>) => {
        if (data.kind === 'rows') for (const row of data.rows) rows.push(row);
        else if (data.kind === 'end') resolve(data.isCut);
        else fail();
      };
      worker.onerror = fail;
      signal.addEventListener('abort', () => reject(signal.reason));
      worker.postMessage(text.replace(/^\ufeff/, ''));
    });
    return makeTable(rows, isCut);
  } finally {
    worker.terminate();
  }
}

/** The first row names the columns. Throws `Unreadable` when there is none. */
export function makeTable(all: readonly (readonly string[])[], isCut: boolean): Table {
  const [first, ...rows] = all;
  if (first === undefined) throw new Unreadable('This table is empty.');
  const sample = rows.slice(0, SAMPLE);
  const count = Math.min(MAX_COLUMNS, Math.max(first.length, ...sample.map((row) => row.length)));
  const columns = Array.from({ length: count }, (_, column) => column);
  return {
    head: columns.map((column) => first[column]?.trim() || `Column ${column + 1}`),
    rows,
    isNumeric: columns.map((column) => isNumericColumn(sample.map((row) => row[column] ?? ''))),
    widths: columns.map((column) =>
      Math.max((first[column] ?? '').length + 2, ...sample.map((row) => (row[column] ?? '').length)),
    ),
    isCut,
  };
}

const number = /^[-+]?(?:\d[\d,' ]*)?(?:\.\d+)?(?:e[-+]?\d+)?\s*%?$/i;

function isNumericColumn(values: readonly string[]): boolean {
  const given = values.filter((value) => value.trim() !== '');
  return given.length > 0 && given.every((value) => number.test(value.trim()));
}

export interface Sorting {
  column: number;
  isDescending: boolean;
}

/** Row numbers in the order to show; empty cells last in both directions. Pure. */
export function sortRows(table: Table, sorting: Sorting | null): readonly number[] {
  const order = table.rows.map((_, index) => index);
  if (sorting === null) return order;
  const { column, isDescending } = sorting;
  const sign = isDescending ? -1 : 1;
  const cells = table.rows.map((row) => (row[column] ?? '').trim());
  const isEmpty = (index: number) => cells[index] === '';
  const compare = table.isNumeric[column] ? byNumber(cells) : byWords(cells);
  return order.sort((a, b) => {
    if (isEmpty(a) || isEmpty(b)) return Number(isEmpty(a)) - Number(isEmpty(b)) || a - b;
    return sign * compare(a, b) || a - b;
  });
}

function byNumber(cells: readonly string[]) {
  const values = cells.map((cell) => Number.parseFloat(cell.replace(/[,' %]/g, '')) || 0);
  return (a: number, b: number) => (values[a] ?? 0) - (values[b] ?? 0);
}

function byWords(cells: readonly string[]) {
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  return (a: number, b: number) => compare(cells[a] ?? '', cells[b] ?? '');
}
