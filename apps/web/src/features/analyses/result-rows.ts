import type { FigureSource } from '@cellfolio/contract';
import { csvComments } from '@cellfolio/contract';
import {
  columnFilteringFeature,
  createColumnHelper,
  createFilteredRowModel,
  createSortedRowModel,
  globalFilteringFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useDeferredValue, useMemo, useState } from 'react';
import { counted } from '@/lib/format.ts';
import { fileNamePart } from '@/lib/files.ts';
import type { AnalysisResult, Directions } from './analysis-module.ts';
import { readResult } from './analysis-module.ts';
import { groupLabel, type ResultColumn, type ResultTable, shownText } from './result-table.ts';
import { limitWords, noLimits, type TypedLimits, withinLimits } from './row-limits.ts';

/** The rows of a result that its table shows, and how they were chosen. */
export interface ShownRows {
  /** Places in the file, in the order shown. */
  rows: readonly number[];
  /** Trimmed; empty without a search. */
  search: string;
  /** Empty for all groups. */
  group: string;
  /** What its user calls the group, where that is not as the dataset has it. */
  groupLabel?: string;
  /** The limits that the rows are within, in words; empty or absent for none. */
  limits?: string;
}

export function isNarrowed({ search, group, limits = '' }: ShownRows): boolean {
  return search !== '' || group !== '' || limits !== '';
}

/** What the rows are, as 'T cell (10 genes)' or '“CD3” (4 rows)'. */
export function shownWords(
  result: AnalysisResult,
  { rows, search, group, groupLabel: label = group, limits = '' }: ShownRows,
): string {
  const parts = [group === '' ? '' : groupWords(result, label), search === '' ? '' : `“${search}”`, limits];
  const noun = result.module.rowNoun(group !== '');
  return `${parts.filter((part) => part !== '').join(', ')} (${counted(rows.length, noun)})`;
}

export function allWords({ module }: AnalysisResult, { rowCount }: ResultTable): string {
  return module.allRows(rowCount);
}

/** A group by its name; a bare number says nothing without its column. */
export function groupWords(result: AnalysisResult, group: string): string {
  if (group === '') return '(no name)';
  const { groupedBy } = readResult(result);
  return groupedBy !== undefined && /^\d+$/.test(group) ? `${groupedBy} ${group}` : group;
}

/** What follows the usual name of a file: the group, and that a search or limits chose among its rows. */
export function shownEnding(result: AnalysisResult, { search, group, limits = '' }: ShownRows): string {
  const parts = [
    group === '' ? '' : fileNamePart(groupWords(result, group)),
    search === '' ? '' : fileNamePart(search) || 'search',
    limits === '' ? '' : fileNamePart(limits) || 'limited',
  ];
  return parts.map((part) => (part === '' ? '' : `_${part}`)).join('');
}

/** The file with the rows that are shown alone, in their order, which a comment tells; else byte for byte as it came. */
export function shownCsv(result: AnalysisResult, table: ResultTable, shown: ShownRows): string {
  const { comments, header, rows } = table.source;
  const note = isNarrowed(shown)
    ? csvComments([
        `Only ${shownWords(result, { ...shown, groupLabel: shown.group })} of ${allWords(result, table)}.`,
      ])
    : '';
  return `${comments}${note}${header}${shown.rows.map((row) => rows[row] ?? '').join('')}`;
}

/** Names the figure of the rows that are shown; `null` where there is none of its own. */
export function shownFigure(
  { module, answer }: AnalysisResult,
  { columns }: ResultTable,
  { rows }: ShownRows,
): FigureSource | null {
  if (answer.source === null) return null;
  const texts = new Map(columns.map((column) => [column.name, column.texts]));
  return module.figureOfRows?.(answer.source, texts, rows) ?? null;
}

/** The place of a row in the file; all else is looked up in the columns. */
interface Row {
  at: number;
}

const features = tableFeatures({
  columnFilteringFeature,
  globalFilteringFeature,
  filteredRowModel: createFilteredRowModel(),
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
});
const helper = createColumnHelper<typeof features, Row>();
const inOrder = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/**
 * Searches and sorts a result. Numbers are sorted as numbers, names as people do (cluster 2 before cluster 10), what
 * is missing comes last.
 */
export function useResultRows(
  table: ResultTable,
  search: string,
  group: string,
  limits: TypedLimits = noLimits,
) {
  const data = useMemo(() => Array.from({ length: table.rowCount }, (_, at): Row => ({ at })), [table]);
  const columns = useMemo(
    () =>
      helper.columns(
        table.columns.map((column, place) =>
          helper.accessor(
            ({ at }): string | number | undefined => {
              const value = column.numbers?.[at];
              if (value === undefined) return shownText(column, at);
              return Number.isNaN(value) ? undefined : value;
            },
            {
              id: String(place),
              header: column.label,
              sortUndefined: 'last',
              sortDescFirst: false,
              sortFn: column.numbers
                ? (a, b, id) => a.getValue<number>(id) - b.getValue<number>(id)
                : (a, b, id) => inOrder.compare(a.getValue<string>(id), b.getValue<string>(id)),
            },
          ),
        ),
      ),
    [table],
  );
  const searched = useMemo(() => {
    const texts = table.columns.filter(({ numbers }) => numbers === undefined);
    const groups = table.columns.find(({ name }) => name === 'group');
    const has = (at: number, text: string) => texts.some((column) => searchedText(column, at).includes(text));
    const whole = search.trim().toLowerCase();
    // 'B cell' is one name if any row has it as such, and not the B of TRBC1 with the cell of T cell.
    const asOne = texts.some((column) =>
      column.texts.some((_, at) => searchedText(column, at).includes(whole)),
    );
    const parts = asOne ? [whole] : whole.split(/\s+/);
    const isWithin = withinLimits(table, limits);
    return (at: number) =>
      (isWithin === undefined || isWithin(at)) &&
      (group === '' || groups?.texts[at] === group) &&
      parts.every((part) => has(at, part));
  }, [table, search, group, limits]);
  const isWhole = search === '' && group === '' && withinLimits(table, limits) === undefined;
  return useTable({
    features,
    columns,
    data,
    // A value of its own for each search: the rows are asked again when it changes.
    state: { globalFilter: isWhole ? '' : { search, group, limits } },
    getColumnCanGlobalFilter: (column) => column.id === '0',
    globalFilterFn: (row) => searched(row.original.at),
    enableMultiSort: true,
  });
}

/** Groups are found by what they are called, and by their names in the dataset. */
function searchedText(column: ResultColumn, at: number): string {
  const text = column.texts[at] ?? '';
  const shown = column.called === undefined ? text : shownText(column, at);
  return (shown === text ? text : `${shown}\n${text}`).toLowerCase();
}

/** What a table shows of its result, kept by the dialog: the files that are saved hold the same rows. */
export function useTableView(table: ResultTable, directions?: Directions) {
  const [search, setSearch] = useState('');
  const [group, setGroup] = useState('');
  const [limits, setLimits] = useState<TypedLimits>(noLimits);
  // Typing comes before the rows of what was typed.
  const searched = useDeferredValue(search).trim();
  const within = useDeferredValue(limits);
  const model = useResultRows(table, searched, group, within);
  const { rows } = model.getRowModel();
  const shown = useMemo(
    (): ShownRows => ({
      rows: rows.map(({ original }) => original.at),
      search: searched,
      group,
      groupLabel: groupLabel(table, group),
      limits: limitWords(within, directions),
    }),
    [table, rows, searched, group, within, directions],
  );
  const showAll = () => {
    setSearch('');
    setGroup('');
    setLimits(noLimits);
  };
  return { model, shown, search, setSearch, group, setGroup, limits, setLimits, showAll };
}

export type TableView = ReturnType<typeof useTableView>;
