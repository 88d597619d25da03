import type { FigureSource } from '@cellfolio/contract';
import { useMemo } from 'react';
import { useCategoryNames } from '@/features/category-displays/index.ts';
import { textsOf } from '@/features/tables/index.ts';
import { fileNamePart } from '@/lib/files.ts';
import { formatCount, plural } from '@/lib/format.ts';
import type { AnalysisResult, FigureSetting } from './analysis-module.ts';
import { readResult } from './analysis-module.ts';

export interface ShownRows {
  /** Row indices in the file, in display order. */
  rows: Int32Array;
  /** The first of these rows for each gene. */
  geneRows: Int32Array;
  /** Trimmed; empty without a search. */
  search: string;
  /** Empty for all groups. */
  group: string;
  /** The user's label of the group, if it differs from the dataset's name. */
  groupLabel?: string | undefined;
  limits: string;
  /** Whether the order differs from that of the file. */
  sorted: boolean;
}

export function isNarrowed({ search, group, limits }: ShownRows): boolean {
  return search !== '' || group !== '' || limits !== '';
}

/** Description of the rows, such as 'T cell (10 genes)' or '“CD3” (4 rows)'. */
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
  return `${parts.filter((part) => part !== '').join(', ')} (${plural(rows.length, noun)})`;
}

export function allWords({ module, table }: Pick<AnalysisResult, 'module' | 'table'>): string {
  return module.allRows(table.fileRows);
}

/** Whether the page holds only some rows of the file. */
export function isCutOff({ table }: Pick<AnalysisResult, 'table'>): boolean {
  return table.fileRows > table.rowCount;
}

export function cutOffWords({ table }: Pick<AnalysisResult, 'table'>): string {
  const groups = textsOf(table.columns, 'group')?.categories ?? [];
  const last = groups.at(-1);
  const which = last === undefined ? '' : `, from the first ${plural(groups.length, 'group')} up to ${last}`;
  return `The page holds ${formatCount(table.rowCount)} of ${plural(table.fileRows, 'row')}${which}. Search, sorting and figures use these; downloads have all rows. To see other groups here, run the analysis on them as the active subset.`;
}

/** A group by its name; a bare number means nothing without its column. */
export function groupWords(result: AnalysisResult, group: string): string {
  if (group === '') return '(no name)';
  const { groupedBy } = readResult(result);
  return groupedBy !== undefined && /^\d+( · |$)/.test(group) ? `${groupedBy} ${group}` : group;
}

export function shownEnding(result: AnalysisResult, { search, group, limits }: ShownRows): string {
  const parts = [
    group === '' ? '' : fileNamePart(groupWords(result, group)),
    search === '' ? '' : fileNamePart(search) || 'search',
    limits === '' ? '' : fileNamePart(limits) || 'limited',
  ];
  return parts.map((part) => (part === '' ? '' : `_${part}`)).join('');
}

export function shownNotes(result: AnalysisResult, shown: ShownRows): string[] {
  const { notes } = result.table;
  if (!isNarrowed(shown) && !isCutOff(result)) return [...notes];
  // A file has the groups as the dataset has them.
  const words = shownWords(result, { ...shown, groupLabel: undefined });
  return [...notes, `Only ${words} of ${allWords(result)}.`];
}

export function figureSource({ module, answer }: AnalysisResult, figure: FigureSetting): FigureSource | null {
  if (answer.source === null) return null;
  return module.figureAsSet?.(answer.source, figure) ?? answer.source;
}

/** Identifies the figure of the visible rows; `null` when it does not differ or does not exist. */
export function shownFigure(
  result: AnalysisResult,
  figure: FigureSetting,
  { rows }: Pick<ShownRows, 'rows'>,
): FigureSource | null {
  const source = figureSource(result, figure);
  return source && (result.module.figureOfRows?.(source, result.table, rows) ?? null);
}

export function useMarkedGroups(result: AnalysisResult): ReadonlySet<string> {
  return useMemo(
    () => new Set(readResult(result).groups.flatMap(({ name, few_cells }) => (few_cells ? [name] : []))),
    [result],
  );
}

/** The user's labels of groups that differ from the dataset's names; undefined when none differs. */
export function useCalledGroups(result: AnalysisResult): ReadonlyMap<string, string> | undefined {
  const names = useCategoryNames(result.answer.source?.dataset_filename);
  return useMemo(() => {
    const { groupedBy, splitBy, groups: resultGroups } = readResult(result);
    const ofGroup = new Map(resultGroups.map(({ name, of }) => [name, of]));
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
