import { useState } from 'react';
import { Button } from '../../../components/button';
import type { Cell, RecordTable as Table } from './records';

/** So many rows are drawn at first, so that a large result opens at once. */
const FIRST_ROWS = 50;

/** Like records, one a row. What is wider than the card scrolls with it. */
export function RecordTable({ table: { columns, rows } }: { table: Table }) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? rows : rows.slice(0, FIRST_ROWS);
  return (
    <>
      <table className="tabular min-w-full border-collapse text-left font-mono text-[0.78rem]">
        <thead>
          <tr className="border-line border-b text-muted">
            {columns.map((name) => (
              <th key={name} scope="col" className="whitespace-nowrap py-1 pr-4 font-medium last:pr-0">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name of their own and never change
            <tr key={index} className="border-line border-b align-top last:border-b-0">
              {row.map((cell, at) => (
                <td key={columns[at]} dir="auto" className={`max-w-96 py-1 pr-4 last:pr-0 ${lookOf(cell)}`}>
                  {cell === null ? '–' : String(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < rows.length && (
        <Button className="mt-2" onClick={() => setIsWhole(true)}>
          Show all {rows.length} rows
        </Button>
      )}
    </>
  );
}

/** Up to so many characters stay in one line: a word that is broken reads worse than a table that scrolls. */
const ONE_LINE_CHARS = 20;

const lookOf = (cell: Cell): string =>
  cell === null
    ? 'text-faint'
    : typeof cell !== 'string'
      ? 'whitespace-nowrap text-accent'
      : cell.length <= ONE_LINE_CHARS
        ? 'whitespace-pre text-text'
        : 'min-w-48 whitespace-pre-wrap text-text [overflow-wrap:anywhere]';
