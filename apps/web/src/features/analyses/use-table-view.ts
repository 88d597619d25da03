import { useEffect, useMemo, useRef, useState } from 'react';
import type { FoundRows, HeldTable, RowQuery, SortedColumn } from '@/features/tables/index.ts';
import type { FigureSetting, PlotChoice } from './analysis-module.ts';
import type { Directions } from './read-answer.ts';
import type { ShownRows } from './result-rows.ts';
import { limitWords, noLimits, rowLimits, type TypedLimits } from './row-limits.ts';

interface TableViewOptions {
  directions?: Directions | undefined;
  plots?: readonly PlotChoice[] | undefined;
  groupColumn?: string;
  /** The user's labels of groups that differ from the dataset's names. */
  called?: ReadonlyMap<string, string> | undefined;
}

/**
 * View state of a result's table, owned by the dialog: saved files hold the same rows, and the figure is saved with its
 * settings.
 */
export function useTableView(
  table: HeldTable,
  { directions, plots, groupColumn = 'group', called }: TableViewOptions,
) {
  const [search, setSearch] = useState('');
  const [group, setGroup] = useState('');
  const [limits, setLimits] = useState<TypedLimits>(noLimits);
  const [sorting, setSorting] = useState<readonly SortedColumn[]>([]);
  const [figure, setFigure] = useState<FigureSetting>({
    kind: plots?.[0]?.kind ?? '',
    thresholds: undefined,
    part: undefined,
  });
  const selection = useSelectedRows();
  const { selected, isAlone } = selection;
  const query = useMemo(
    (): RowQuery => ({
      search: search.trim(),
      group,
      groupColumn,
      called,
      limits: rowLimits(limits),
      sorting,
      only: isAlone ? Int32Array.from(selected) : undefined,
    }),
    [search, group, groupColumn, called, limits, sorting, isAlone, selected],
  );
  const { rows, geneRows, answered, error } = useQueriedRows(table, query);
  const shown = useMemo(
    (): ShownRows => ({
      rows,
      geneRows,
      search: answered.search,
      group: answered.group,
      groupLabel: called?.get(answered.group),
      limits: [limitWords(answered.limits, directions), answered.only ? 'selected' : '']
        .filter((words) => words !== '')
        .join(', '),
      sorted: answered.sorting.length > 0,
    }),
    [rows, geneRows, answered, called, directions],
  );
  return {
    shown,
    error,
    search,
    setSearch,
    group,
    setGroup,
    limits,
    setLimits,
    sorting,
    sortBy: (column: number, isAlso: boolean) => setSorting((current) => sortedBy(current, column, isAlso)),
    ...selection,
    figure,
    setFigure: (change: Partial<FigureSetting>) => setFigure((current) => ({ ...current, ...change })),
    showAll: () => {
      setSearch('');
      setGroup('');
      setLimits(noLimits);
      selection.showAlone(false);
    },
  };
}

export type TableView = ReturnType<typeof useTableView>;

/** Cycles through ascending, descending and file order. `isAlso` keeps the other sort columns. */
export function sortedBy(
  sorting: readonly SortedColumn[],
  column: number,
  isAlso: boolean,
): readonly SortedColumn[] {
  const now = sorting.find((sorted) => sorted.column === column);
  const next = now?.descending === true ? [] : [{ column, descending: now !== undefined }];
  if (!isAlso) return next;
  return now === undefined
    ? [...sorting, ...next]
    : sorting.flatMap((sorted) => (sorted.column === column ? next : [sorted]));
}

/** Selected rows by index in the file, and whether the table shows only these. */
function useSelectedRows() {
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [isAlone, showAlone] = useState(false);
  const select = (rows: readonly number[], how: 'only' | 'also' | 'turn') => {
    if (how === 'only' && rows.length === 0) showAlone(false);
    setSelected((current) => {
      if (how === 'only') return new Set(rows);
      const next = new Set(current);
      for (const row of rows) {
        if (how === 'turn' && current.has(row)) next.delete(row);
        else next.add(row);
      }
      return next;
    });
  };
  return { selected, select, isAlone: isAlone && selected.size > 0, showAlone };
}

/** The rows of the last completed query; while one runs, only the newest later one waits. */
function useQueriedRows(table: HeldTable, query: RowQuery) {
  const request = useMemo(() => ({ table, query }), [table, query]);
  const [matches, setMatches] = useState<{ request: typeof request; rows: FoundRows } | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const newest = useRef(request);
  const isAsking = useRef(false);
  useEffect(() => {
    newest.current = request;
    if (isAsking.current || isWhole(request.query)) return;
    const ask = async () => {
      isAsking.current = true;
      let now: typeof request;
      do {
        now = newest.current;
        try {
          const rows = await now.table.rows(now.query);
          setMatches({ request: now, rows });
          setError(null);
        } catch (cause) {
          // A table that was replaced meanwhile is closed.
          if (newest.current === now) setError(cause as Error);
        }
      } while (newest.current !== now && !isWhole(newest.current.query));
      isAsking.current = false;
    };
    void ask();
  }, [request]);
  if (isWhole(query)) return { ...table.whole, answered: query, error: null };
  if (matches?.request.table !== table) return { ...table.whole, answered: wholeQuery(query), error };
  return { ...matches.rows, answered: matches.request.query, error };
}

function wholeQuery({ groupColumn }: RowQuery): RowQuery {
  return { search: '', group: '', groupColumn, limits: { direction: 'all' }, sorting: [] };
}

function isWhole({ search, group, limits, sorting, only }: RowQuery): boolean {
  return (
    search === '' &&
    group === '' &&
    limits.direction === 'all' &&
    limits.adjustedP === undefined &&
    limits.foldChange === undefined &&
    sorting.length === 0 &&
    only === undefined
  );
}
