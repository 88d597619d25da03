import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { useRef } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { EmptyState } from '@/components/ui/placeholders.tsx';
import { cn } from '@/lib/cn.ts';
import { counted } from '@/lib/format.ts';
import type { AnalysisResult } from './analysis-module.ts';
import { readResult } from './analysis-module.ts';
import type { TableView } from './result-rows.ts';
import { RowFigureButton } from './row-figure.tsx';
import type { ResultTable } from './result-table.ts';
import { ResultToolbar } from './result-toolbar.tsx';
import { exactCell, formatCell, genesOf } from './result-table.ts';

interface ResultTableViewProps {
  result: AnalysisResult;
  table: ResultTable;
  view: TableView;
  genesPerCall: number;
  onSendGenes: (genes: readonly string[]) => void;
  onEnrich: (genes: readonly string[]) => void;
}

/** In CSS pixels; all rows are of one height, so that only those in sight need to be drawn. */
const rowHeight = 32;

/** The whole table: searched, narrowed to a group, sorted by any column; its genes go on with one click. */
export function ResultTableView({
  result,
  table,
  view,
  genesPerCall,
  onSendGenes,
  onEnrich,
}: ResultTableViewProps) {
  const box = useRef<HTMLDivElement>(null);
  const { model } = view;
  const { rows } = model.getRowModel();
  // oxlint-disable-next-line react/incompatible-library -- the app is built without the React Compiler
  const window = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    initialRect: { width: 0, height: 600 },
  });
  if (table.rowCount === 0) {
    const nothing = readResult(result).nothing;
    return (
      <EmptyState title={nothing?.title ?? 'Nothing was found'}>
        <p>{nothing?.text}</p>
      </EmptyState>
    );
  }
  const shown = window.getVirtualItems();
  const before = shown[0]?.start ?? 0;
  const after = window.getTotalSize() - (shown.at(-1)?.end ?? 0);
  const columnCount = table.columns.length + 1;
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-2">
      <ResultToolbar
        result={result}
        table={table}
        view={view}
        genesPerCall={genesPerCall}
        onNarrow={() => box.current?.scrollTo({ top: 0 })}
        onSendGenes={onSendGenes}
        onEnrich={onEnrich}
      />
      {/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- a scrolling region has to be reachable by keyboard */}
      <div
        ref={box}
        role="region"
        aria-label={`Rows of the ${result.module.title}`}
        tabIndex={0}
        className="min-h-0 flex-1 overflow-auto rounded-md border -outline-offset-2"
      >
        <table
          aria-label={result.module.title}
          aria-rowcount={rows.length + 1}
          className="w-full border-collapse text-[13px]"
        >
          <TableHead table={table} model={model} />
          <tbody>
            {before > 0 && <Gap height={before} columns={columnCount} />}
            {shown.map(({ index }) => {
              const row = rows[index];
              if (row === undefined) return null;
              const { at } = row.original;
              return (
                <Row key={row.id} index={index} at={at} table={table}>
                  <RowFigureButton result={result} table={table} row={at} />
                  <RowAction genes={genesOf(table, [at])} limit={genesPerCall} onSendGenes={onSendGenes} />
                </Row>
              );
            })}
            {after > 0 && <Gap height={after} columns={columnCount} />}
          </tbody>
        </table>
        {rows.length === 0 && (
          <EmptyState title="No row matches the search">
            <Button variant="secondary" size="sm" onClick={view.showAll}>
              Show all rows
            </Button>
          </EmptyState>
        )}
      </div>
    </div>
  );
}

/** The headings; a click sorts by a column. */
function TableHead({ table, model }: { table: ResultTable; model: TableView['model'] }) {
  const headers = model.getHeaderGroups()[0]?.headers ?? [];
  return (
    <thead className="bg-surface-2 sticky top-0 z-10">
      <tr className="h-9">
        {headers.map((header, place) => {
          const column = table.columns[place];
          const sorted = header.column.getIsSorted();
          return (
            <th
              key={header.id}
              scope="col"
              aria-sort={sorted === 'asc' ? 'ascending' : sorted === 'desc' ? 'descending' : 'none'}
              className={cn('p-0 font-medium', column?.numbers ? 'text-right' : 'text-left')}
            >
              <button
                type="button"
                title={column?.name}
                onClick={header.column.getToggleSortingHandler()}
                className={cn(
                  'hover:bg-surface-3 inline-flex min-h-9 items-center gap-1 px-2 text-left text-xs -outline-offset-2',
                  // The words stand above the digits.
                  column?.numbers && 'flex-row-reverse text-right',
                )}
              >
                {column?.label}
                <SortMark sorted={sorted} />
              </button>
            </th>
          );
        })}
        <th scope="col" className="bg-surface-2 sticky right-0 w-24 p-0">
          <span className="sr-only">Actions</span>
        </th>
      </tr>
    </thead>
  );
}

function SortMark({ sorted }: { sorted: false | 'asc' | 'desc' }) {
  if (sorted === 'asc') return <ArrowUp aria-hidden className="text-accent size-3" />;
  if (sorted === 'desc') return <ArrowDown aria-hidden className="text-accent size-3" />;
  return <ChevronsUpDown aria-hidden className="text-muted size-3" />;
}

interface RowProps {
  /** Place among the rows that the table shows. */
  index: number;
  /** Place in the file. */
  at: number;
  table: ResultTable;
  children: ReactNode;
}

function Row({ index, at, table, children }: RowProps) {
  return (
    <tr aria-rowindex={index + 2} className="group hover:bg-surface-2 border-t" style={{ height: rowHeight }}>
      {table.columns.map((column) => (
        <td
          key={column.name}
          title={exactCell(column, at)}
          className={cn(
            'px-2 whitespace-nowrap',
            column.numbers ? 'text-right tabular-nums' : 'max-w-80 truncate',
          )}
        >
          {formatCell(column, at)}
        </td>
      ))}
      {/* In reach however wide the table is. */}
      <td className="bg-surface group-hover:bg-surface-2 sticky right-0 px-1 text-right whitespace-nowrap">
        {children}
      </td>
    </tr>
  );
}

/** Stands in for rows that are out of sight. */
function Gap({ height, columns }: { height: number; columns: number }) {
  return (
    <tr aria-hidden style={{ height }}>
      <td colSpan={columns} className="p-0">
        {' '}
      </td>
    </tr>
  );
}

interface RowActionProps {
  genes: readonly string[];
  limit: number;
  onSendGenes: (genes: readonly string[]) => void;
}

function RowAction({ genes, limit, onSendGenes }: RowActionProps) {
  const sent = genes.slice(0, limit);
  if (sent.length === 0) return null;
  return (
    <Button
      variant="ghost"
      size="xs"
      aria-label={`Visualize ${sent.length === 1 ? (sent[0] ?? '') : counted(sent.length, 'gene')}`}
      onClick={() => onSendGenes(sent)}
    >
      Visualize
    </Button>
  );
}
