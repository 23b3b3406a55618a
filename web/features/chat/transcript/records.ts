/** Lists of like records, which read best as a table. Pure. */

export interface RecordTable {
  columns: readonly string[];
  rows: readonly (readonly Cell[])[];
}
/** Null also where a record lacks the field. */
export type Cell = string | number | boolean | null;

/** More columns would not fit beside each other. */
const MAX_COLUMNS = 8;

/**
 * The table of a value that is a list of two or more flat records with the same few fields, or a record with nothing else in it but such
 * a list; otherwise null. Fields keep the order of their first appearance.
 */
export function readRecords(value: unknown): RecordTable | null {
  const records = Array.isArray(value) ? value : onlyList(value);
  if (records === null || records.length < 2) return null;
  const columns = new Set<string>();
  let filled = 0;
  for (const record of records) {
    if (!isFlat(record)) return null;
    const names = Object.keys(record);
    filled += names.length;
    for (const name of names) columns.add(name);
    if (columns.size > MAX_COLUMNS) return null;
  }
  // Records of different kinds would leave most of the cells empty.
  if (columns.size === 0 || filled < (records.length * columns.size) / 2) return null;
  const order = [...columns];
  return { columns: order, rows: records.map((record) => order.map((name) => record[name] ?? null)) };
}

function onlyList(value: unknown): unknown[] | null {
  if (typeof value !== 'object' || value === null) return null;
  const [inner, ...others] = Object.values(value);
  return others.length === 0 && Array.isArray(inner) ? inner : null;
}

const isFlat = (value: unknown): value is Record<string, Cell> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((inner) => inner === null || typeof inner !== 'object');
