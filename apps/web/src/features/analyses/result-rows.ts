import type { FigureSource } from '@cellfolio/contract';
import { useMemo } from 'react';
import { useCategoryNames } from '@/features/category-displays/index.ts';
import { textsOf } from '@/features/tables/index.ts';
import { fileNamePart } from '@/lib/files.ts';
import { counted, formatCount } from '@/lib/format.ts';
import type { AnalysisResult, FigureSetting } from './analysis-module.ts';
import { readResult } from './analysis-module.ts';

/** The rows of a result that its table shows, and how they were chosen. */
export interface ShownRows {
  /** Places in the file, in the order shown. */
  rows: Int32Array;
  /** Of these the first of each gene. */
  geneRows: Int32Array;
  /** Trimmed; empty without a search. */
  search: string;
  /** Empty for all groups. */
  group: string;
  /** What its user calls the group, where that is not as the dataset has it. */
  groupLabel?: string | undefined;
  /** The limits that the rows are within, in words; empty for none. */
  limits: string;
  /** Whether other columns than the file's decide the order. */
  sorted: boolean;
}

export function isNarrowed({ search, group, limits }: ShownRows): boolean {
  return search !== '' || group !== '' || limits !== '';
}

/** What the rows are, as 'T cell (10 genes)' or '“CD3” (4 rows)'. */
export function shownWords(
  result: AnalysisResult,
  { rows, search, group, groupLabel = group, limits }: ShownRows,
): string {
  const parts = [
    group === '' ? '' : groupWords(result, groupLabel),
    search === '' ? '' : `“${search}”`,
    limits,
  ];
  const noun = result.module.rowNoun(group !== '');
  return `${parts.filter((part) => part !== '').join(', ')} (${counted(rows.length, noun)})`;
}

export function allWords({ module, table }: Pick<AnalysisResult, 'module' | 'table'>): string {
  return module.allRows(table.fileRows);
}

/** Rows of the file are not on the page, which has no room for them. */
export function isCutOff({ table }: Pick<AnalysisResult, 'table'>): boolean {
  return table.fileRows > table.rowCount;
}

/** What is on the page of a result that is too long for it, and what to do about the rest. */
export function cutOffWords({ table }: Pick<AnalysisResult, 'table'>): string {
  const groups = textsOf(table.columns, 'group')?.categories ?? [];
  const last = groups.at(-1);
  const which =
    last === undefined ? '' : `, those of the first ${counted(groups.length, 'group')}, to ${last}`;
  return `The page holds ${formatCount(table.rowCount)} of ${counted(table.fileRows, 'row')}${which}. It searches, sorts and draws these; the files of all rows have the others, too. To see other groups here, run the analysis on them as the active subset.`;
}

/** A group by its name; a bare number says nothing without its column. */
export function groupWords(result: AnalysisResult, group: string): string {
  if (group === '') return '(no name)';
  const { groupedBy } = readResult(result);
  return groupedBy !== undefined && /^\d+( · |$)/.test(group) ? `${groupedBy} ${group}` : group;
}

/** What follows the usual name of a file: the group, and that a search or limits chose among its rows. */
export function shownEnding(result: AnalysisResult, { search, group, limits }: ShownRows): string {
  const parts = [
    group === '' ? '' : fileNamePart(groupWords(result, group)),
    search === '' ? '' : fileNamePart(search) || 'search',
    limits === '' ? '' : fileNamePart(limits) || 'limited',
  ];
  return parts.map((part) => (part === '' ? '' : `_${part}`)).join('');
}

/** What stands above the rows that are shown: what came with the table, and that they are not all of it. */
export function shownNotes(result: AnalysisResult, shown: ShownRows): string[] {
  const { notes } = result.table;
  if (!isNarrowed(shown) && !isCutOff(result)) return [...notes];
  // A file has the groups as the dataset has them.
  const words = shownWords(result, { ...shown, groupLabel: undefined });
  return [...notes, `Only ${words} of ${allWords(result)}.`];
}

/** Names the figure of the whole result as it is set on the page. */
export function figureSource({ module, answer }: AnalysisResult, figure: FigureSetting): FigureSource | null {
  if (answer.source === null) return null;
  return module.figureAsSet?.(answer.source, figure) ?? answer.source;
}

/** Names the figure of the rows that are shown; `null` where there is none of its own. */
export function shownFigure(
  result: AnalysisResult,
  figure: FigureSetting,
  { rows }: Pick<ShownRows, 'rows'>,
): FigureSource | null {
  const source = figureSource(result, figure);
  return source && (result.module.figureOfRows?.(source, result.table, rows) ?? null);
}

/** Groups of few cells, which are marked in the table. */
export function useMarkedGroups(result: AnalysisResult): ReadonlySet<string> {
  return useMemo(
    () => new Set(readResult(result).groups.flatMap(({ name, few_cells }) => (few_cells ? [name] : []))),
    [result],
  );
}

/** What the user calls groups, where that is not as the dataset has them; undefined where it has their names alone. */
export function useCalledGroups(result: AnalysisResult): ReadonlyMap<string, string> | undefined {
  const names = useCategoryNames(result.answer.source?.dataset_filename);
  return useMemo(() => {
    const { groupedBy, splitBy, groups: known } = readResult(result);
    const ofGroup = new Map(known.map(({ name, of }) => [name, of]));
    const groups = textsOf(result.table.columns, 'group')?.categories ?? [];
    const called = groups.map((name) => {
      const of = ofGroup.get(name);
      const label = names.ofColumn(groupedBy, of?.group ?? name);
      return [name, of ? `${label} · ${names.ofColumn(splitBy, of.category)}` : label] as const;
    });
    const own = called.filter(([group, label]) => group !== label);
    return own.length === 0 ? undefined : new Map(own);
  }, [result, names]);
}
