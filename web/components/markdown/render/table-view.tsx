import { memo } from 'react';
import type { Align, BlockOf } from '../parse/types';
import { InlineView } from './inline-view';

/** A column with a text longer than this keeps room to read it, and lets the table scroll instead. */
const WIDE_CELL_LENGTH = 24;

/** A table that scrolls inside its own frame when it is wider than the text. */
export function TableView({ table, isOpenEnded }: { table: BlockOf<'table'>; isOpenEnded: boolean }) {
  const lastRow = table.rows.length - 1;
  const isWide = (column: number) => table.rows.some((cells) => (cells[column]?.length ?? 0) > WIDE_CELL_LENGTH);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
    <div className="md-table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {table.header.map((text, column) => (
              <th
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
                key={column}
                scope="col"
                dir="auto"
                data-align={table.align[column] ?? undefined}
                data-wide={isWide(column) || undefined}
              >
                <InlineView text={text} isOpenEnded={isOpenEnded && lastRow < 0} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
            <Row key={row} cells={cells} align={table.align} isOpenEnded={isOpenEnded && row === lastRow} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const Row = memo(function Row(props: { cells: string[]; align: Align[]; isOpenEnded: boolean }) {
  return (
    <tr>
      {props.cells.map((text, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
        <td key={column} dir="auto" data-align={props.align[column] ?? undefined}>
          <InlineView text={text} isOpenEnded={props.isOpenEnded} />
        </td>
      ))}
    </tr>
  );
});
