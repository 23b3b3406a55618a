// biome-ignore-all lint/a11y/useSemanticElements: rows that only exist in view are no children of a table element.
// biome-ignore-all lint/a11y/useFocusableInteractive: one focus for the whole table, which scrolls; a row is nothing to press.
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type CSSProperties, memo, useMemo, useRef, useState } from 'react';
import { Virtualizer } from 'virtua';
import { cx } from '../../../../lib/class-names';
import { formatCount, plural } from '../../../../lib/format';
import { useFile } from '../use-file';
import type { ViewerProps } from '../viewer';
import { Loading, Words } from '../words';
import { readTable, type Sorting, sortRows, type Table } from './read-table';

const ROW_PX = 30;
/** Widths of columns, in characters. */
const MIN_CHARS = 6;
const MAX_CHARS = 44;

/** A table of any length: only the rows in view exist. A click on a column sorts, a third one restores the file's order. */
export default function CsvViewer({ file }: ViewerProps) {
  const table = useFile(file, readTable);
  if (table.state === 'loading') return <Loading>Reading the table</Loading>;
  if (table.state === 'failed') return <Words file={file}>{table.words}</Words>;
  return <TableView table={table.value} name={file.name} />;
}

function TableView({ table, name }: { table: Table; name: string }) {
  const scroller = useRef<HTMLElement>(null);
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const order = useMemo(() => sortRows(table, sorting), [table, sorting]);
  const columns = {
    gridTemplateColumns: `${String(table.rows.length).length + 3}ch ${table.widths
      .map((chars) => `${Math.min(MAX_CHARS, Math.max(MIN_CHARS, chars)) + 3}ch`)
      .join(' ')}`,
  };
  const sortBy = (column: number) => {
    setSorting((now) => {
      if (now?.column !== column) return { column, isDescending: false };
      return now.isDescending ? null : { column, isDescending: true };
    });
    if (scroller.current !== null) scroller.current.scrollTop = 0;
  };
  return (
    <div className="flex h-full w-full flex-col">
      <section
        ref={scroller}
        aria-label={name}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        className="min-h-0 flex-1 overflow-auto outline-offset-[-2px]"
      >
        <div
          role="table"
          aria-label={name}
          aria-rowcount={table.rows.length + 1}
          className="w-max min-w-full font-mono text-[0.78rem]"
        >
          <div role="row" style={columns} className="sticky top-0 z-10 grid border-line border-b bg-sunken">
            <span role="columnheader" className="px-2 py-1.5 text-right text-faint">
              <span className="sr-only">Row</span>
            </span>
            {table.head.map((title, column) => (
              <Head
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place.
                key={column}
                title={title}
                isNumeric={table.isNumeric[column] === true}
                direction={sorting?.column === column ? (sorting.isDescending ? 'descending' : 'ascending') : 'none'}
                onSort={() => sortBy(column)}
              />
            ))}
          </div>
          <Virtualizer data={order} scrollRef={scroller} startMargin={ROW_PX} itemSize={ROW_PX}>
            {(index) => (
              <Row key={index} number={index + 1} cells={table.rows[index] ?? []} table={table} style={columns} />
            )}
          </Virtualizer>
        </div>
      </section>
      <p className="tabular border-line border-t px-3 py-1 text-faint text-small">
        {plural(table.rows.length, 'row')} · {plural(table.head.length, 'column')}
        {table.isCut && ` · only the first ${formatCount(table.rows.length)} are shown`}
      </p>
    </div>
  );
}

interface HeadProps {
  title: string;
  isNumeric: boolean;
  direction: 'ascending' | 'descending' | 'none';
  onSort(): void;
}

function Head({ title, isNumeric, direction, onSort }: HeadProps) {
  const Arrow = direction === 'descending' ? ArrowDown : ArrowUp;
  return (
    <span role="columnheader" aria-sort={direction} className="min-w-0">
      <button
        type="button"
        title={`Sort by ${title}`}
        onClick={onSort}
        className={cx(
          'group/head flex w-full items-center gap-1 px-2 py-1.5 font-medium font-sans text-small outline-offset-[-2px] hover:bg-hover',
          isNumeric && 'flex-row-reverse',
        )}
      >
        <span dir="auto" className="truncate">
          {title}
        </span>
        <Arrow
          size={12}
          aria-hidden
          className={cx('shrink-0 text-accent', direction === 'none' && 'opacity-0 group-hover/head:opacity-40')}
        />
      </button>
    </span>
  );
}

interface RowProps {
  number: number;
  cells: readonly string[];
  table: Table;
  style: CSSProperties;
}

const Row = memo(function Row({ number, cells, table, style }: RowProps) {
  return (
    <div
      role="row"
      style={{ ...style, height: ROW_PX }}
      className="grid items-center border-line border-b hover:bg-hover"
    >
      <span role="rowheader" className="tabular px-2 text-right text-faint">
        {number}
      </span>
      {table.head.map((_, column) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place.
          key={column}
          role="cell"
          dir="auto"
          title={cells[column]}
          className={cx('truncate px-2', table.isNumeric[column] && 'tabular text-right')}
        >
          {cells[column]}
        </span>
      ))}
    </div>
  );
});
