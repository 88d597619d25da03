import type { FigureSource } from '@cellfolio/contract';
import { csvComments } from '@cellfolio/contract';
import { counted } from '@/lib/format.ts';
import { fileNamePart } from '@/lib/files.ts';
import type { AnalysisResult } from './analysis-module.ts';
import { readResult } from './analysis-module.ts';
import type { ResultTable } from './result-columns.ts';

/** The rows of a result that its table shows, and how they were chosen. */
export interface ShownRows {
  /** Places in the file, in the order shown. */
  rows: readonly number[];
  /** Trimmed; empty where nothing is searched for. */
  search: string;
  /** Empty for all groups. */
  group: string;
}

export function isNarrowed({ search, group }: ShownRows): boolean {
  return search !== '' || group !== '';
}

/** What the rows are, as 'T cell (10 genes)' or '“CD3” (4 rows)'. */
export function shownWords(result: AnalysisResult, { rows, search, group }: ShownRows): string {
  const parts = [group === '' ? '' : groupWords(result, group), search === '' ? '' : `“${search}”`];
  const noun = result.module.rowNoun(group !== '');
  return `${parts.filter((part) => part !== '').join(', ')} (${counted(rows.length, noun)})`;
}

export function allWords({ module }: AnalysisResult, { rowCount }: ResultTable): string {
  return module.allRows(rowCount);
}

/** A group by its name; a bare number says nothing without its column. */
function groupWords(result: AnalysisResult, group: string): string {
  if (group === '') return '(no name)';
  const { groupedBy } = readResult(result);
  return groupedBy !== undefined && /^\d+$/.test(group) ? `${groupedBy} ${group}` : group;
}

/** What follows the usual name of a file: the group, and that a search chose among its rows. */
export function shownEnding(result: AnalysisResult, { search, group }: ShownRows): string {
  const parts = [
    group === '' ? '' : fileNamePart(groupWords(result, group)),
    search === '' ? '' : fileNamePart(search) || 'search',
  ];
  return parts.map((part) => (part === '' ? '' : `_${part}`)).join('');
}

/** The file with the rows that are shown alone, in their order, which a comment tells; else byte for byte as it came. */
export function shownCsv(result: AnalysisResult, table: ResultTable, shown: ShownRows): string {
  const { comments, header, rows } = table.source;
  const note = isNarrowed(shown)
    ? csvComments([`Only ${shownWords(result, shown)} of ${allWords(result, table)}.`])
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
