import { ArrowDown, ArrowUp, ChevronsUpDown, Eye } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useViewerSize } from '@/features/images/index.ts';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Checkbox } from '@/components/ui/checkbox.tsx';
import { EmptyState } from '@/components/ui/placeholders.tsx';
import { type GeneIndex, GeneLinksMenu } from '@/features/genes/index.ts';
import type { TableColumn, TableColumns } from '@/features/tables/index.ts';
import { reasonOf } from '@/lib/api-errors.ts';
import { cn } from '@/lib/cn.ts';
import { plural } from '@/lib/format.ts';
import { GeneCell } from './draw-genes.tsx';
import { exactCell, formatCell, genesOf, hasGenes, type GroupNames } from './result-table.ts';
import { rowHeight, useRowWindow } from './row-window.ts';
import { useRowsOnMap } from './rows-on-map.ts';
import type { TableView } from './use-table-view.ts';

interface TableRowsProps {
  title: string;
  table: TableColumns;
  view: TableView;
  names?: GroupNames;
  genesPerCall: number;
  dataset: GeneIndex['dataset'];
  renderAction?: (row: number) => ReactNode;
  onSendGenes: (genes: readonly string[]) => void;
}

export function TableRows({
  title,
  table,
  view,
  names,
  genesPerCall,
  dataset,
  renderAction,
  onSendGenes,
}: TableRowsProps) {
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const viewerSize = useViewerSize();
  const { rows } = view.shown;
  const { from, to, before, after } = useRowWindow(box, rows.length);
  const canSelect = hasGenes(table);
  const lastTurned = useRef<number | null>(null);
  const shownRows = useRef(rows);
  // Other rows, or another order, begin at the top.
  useEffect(() => {
    if (shownRows.current === rows) return;
    shownRows.current = rows;
    lastTurned.current = null;
    if (box.current !== null) box.current.scrollTop = 0;
  }, [rows]);
  const mapRows = useRowsOnMap(box, table, rows);
  const columnCount = table.columns.length + (canSelect ? 2 : 1);
  const turn = (index: number, isRange: boolean) => {
    const start = isRange ? (lastTurned.current ?? index) : index;
    lastTurned.current = index;
    if (start === index) return view.select([rows[index]!], 'turn');
    return view.select(Array.from(rows.subarray(Math.min(start, index), Math.max(start, index) + 1)), 'also');
  };
  return (
    <>
      {view.error !== null && (
        <Alert variant="danger" role="alert">
          <span className="min-w-0 flex-1 wrap-anywhere">
            The rows were not found. {reasonOf(view.error)}
          </span>
        </Alert>
      )}
      {/* oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- a scrolling region has to be reachable by keyboard, and its rows are gone through with the arrow keys */}
      <div
        ref={box}
        role="region"
        aria-label={`Rows of the ${title}`}
        aria-describedby={mapRows.keys === undefined ? undefined : `${id}-keys`}
        tabIndex={0}
        onClick={mapRows.onClick}
        onKeyDown={mapRows.onKeyDown}
        className="min-h-0 flex-1 overflow-auto rounded-md border -outline-offset-2"
      >
        <table
          aria-label={title}
          aria-rowcount={rows.length + 1}
          className="w-full border-collapse text-[13px]"
        >
          <TableHead table={table} view={view} canSelect={canSelect} />
          <tbody>
            {before > 0 && <Gap height={before} columns={columnCount} />}
            {Array.from(rows.subarray(from, to), (at, place) => (
              <Row
                key={at}
                index={from + place}
                at={at}
                isOnMap={mapRows.isOnMap(at)}
                isCurrent={mapRows.current === from + place}
                table={table}
                names={names}
                select={
                  canSelect && (
                    <SelectRow
                      gene={genesOf(table, [at])[0] ?? ''}
                      checked={view.selected.has(at)}
                      onTurn={(isRange) => turn(from + place, isRange)}
                    />
                  )
                }
              >
                {renderAction?.(at)}
                <RowActions
                  genes={genesOf(table, [at])}
                  limit={Math.min(genesPerCall, viewerSize)}
                  dataset={canSelect ? dataset : undefined}
                  onSendGenes={onSendGenes}
                />
              </Row>
            ))}
            {after > 0 && <Gap height={after} columns={columnCount} />}
          </tbody>
        </table>
        <p id={`${id}-keys`} hidden>
          {mapRows.keys}
        </p>
        {rows.length === 0 && <NoRows onShowAll={view.showAll} />}
      </div>
    </>
  );
}

function NoRows({ onShowAll }: { onShowAll: () => void }) {
  return (
    <EmptyState title="No row matches the search">
      <Button variant="secondary" size="sm" onClick={onShowAll}>
        Show all rows
      </Button>
    </EmptyState>
  );
}

/** Stays visible however wide the table is; its edge shows that columns continue beneath it. */
const pinned =
  'sticky right-0 after:absolute after:inset-y-0 after:left-0 after:w-px after:bg-border after:content-[""]';

function TableHead({ table, view, canSelect }: { table: TableColumns; view: TableView; canSelect: boolean }) {
  return (
    <thead className="bg-surface-2 sticky top-0 z-10">
      <tr className="h-9">
        {canSelect && (
          <th scope="col" className="w-8 p-0">
            <span className="sr-only">Selected</span>
          </th>
        )}
        {table.columns.map((column, place) => {
          const sorted = view.sorting.find((one) => one.column === place);
          return (
            <th
              key={column.name}
              scope="col"
              aria-sort={sorted === undefined ? 'none' : sorted.descending ? 'descending' : 'ascending'}
              className={cn('p-0 font-medium', column.numbers ? 'text-right' : 'text-left')}
            >
              <button
                type="button"
                title={column.name}
                onClick={(event) => view.sortBy(place, event.shiftKey)}
                className={cn(
                  'hover:bg-surface-3 inline-flex min-h-9 items-center gap-1 px-2 text-left text-xs -outline-offset-2',
                  // The words stand above the digits.
                  column.numbers && 'flex-row-reverse text-right',
                  // One word, such as P-value, is not parted at its hyphen.
                  !column.label.includes(' ') && 'whitespace-nowrap',
                )}
              >
                {column.label}
                <SortMark descending={sorted?.descending} />
              </button>
            </th>
          );
        })}
        <th scope="col" className={cn('bg-surface-2 w-20 p-0 @min-[56rem]/dock:w-28', pinned)}>
          <span className="sr-only">Actions</span>
        </th>
      </tr>
    </thead>
  );
}

function SortMark({ descending }: { descending: boolean | undefined }) {
  if (descending === undefined) return <ChevronsUpDown aria-hidden className="text-muted size-3 shrink-0" />;
  if (descending) return <ArrowDown aria-hidden className="text-accent size-3 shrink-0" />;
  return <ArrowUp aria-hidden className="text-accent size-3 shrink-0" />;
}

interface RowProps {
  index: number;
  /** Row index in the file. */
  at: number;
  table: TableColumns;
  names: GroupNames | undefined;
  isOnMap: boolean;
  /** Whether the arrow keys are at this row. */
  isCurrent: boolean;
  select: ReactNode;
  children: ReactNode;
}

function Row({ index, at, table, names, isOnMap, isCurrent, select, children }: RowProps) {
  return (
    <tr
      aria-rowindex={index + 2}
      aria-current={isOnMap || undefined}
      className={cn(
        'group border-t',
        isOnMap ? 'bg-accent-soft' : 'hover:bg-surface-2',
        isCurrent && 'outline-accent outline-2 -outline-offset-2',
      )}
      style={{ height: rowHeight }}
    >
      {select !== false && <td className="pl-2">{select}</td>}
      {table.columns.map((column: TableColumn) => (
        <td
          key={column.name}
          title={exactCell(column, at, names?.called)}
          className={cn(
            'px-2 whitespace-nowrap',
            column.numbers ? 'text-right tabular-nums' : 'max-w-80 truncate',
          )}
        >
          <GeneCell column={column} text={formatCell(column, at, names)} />
        </td>
      ))}
      <td
        className={cn(
          'px-1 text-right whitespace-nowrap',
          isOnMap ? 'bg-accent-soft' : 'bg-surface group-hover:bg-surface-2',
          pinned,
        )}
      >
        {children}
      </td>
    </tr>
  );
}

interface SelectRowProps {
  gene: string;
  checked: boolean;
  onTurn: (isRange: boolean) => void;
}

function SelectRow({ gene, checked, onTurn }: SelectRowProps) {
  return (
    <Checkbox
      aria-label={`Select ${gene}`}
      checked={checked}
      onClick={(event) => onTurn(event.shiftKey)}
      className="align-middle"
    />
  );
}

function Gap({ height, columns }: { height: number; columns: number }) {
  return (
    <tr aria-hidden style={{ height }}>
      <td colSpan={columns} className="p-0">
        {' '}
      </td>
    </tr>
  );
}

interface RowActionsProps {
  genes: readonly string[];
  limit: number;
  /** Dataset for looking up the gene; undefined when a row is not about one gene. */
  dataset: GeneIndex['dataset'];
  renderAction?: (row: number) => ReactNode;
  onSendGenes: (genes: readonly string[]) => void;
}

function RowActions({ genes, limit, dataset, onSendGenes }: RowActionsProps) {
  const sent = genes.slice(0, limit);
  if (sent.length === 0) return null;
  const [gene = ''] = sent;
  const first = genes.length > sent.length ? `first ${sent.length} of ` : '';
  const words = `Visualize ${genes.length === 1 ? gene : `${first}${plural(genes.length, 'gene')}`}`;
  return (
    <>
      <Button
        variant="ghost"
        size="xs"
        className="align-middle"
        aria-label={words}
        title={words}
        onClick={() => onSendGenes(sent)}
      >
        {/* In a narrow dock the columns need the width. */}
        <Eye aria-hidden className="@min-[56rem]/dock:hidden" />
        <span className="@max-[56rem]/dock:hidden">Visualize</span>
      </Button>
      {dataset !== undefined && <GeneLinksMenu gene={gene} dataset={dataset} />}
    </>
  );
}
