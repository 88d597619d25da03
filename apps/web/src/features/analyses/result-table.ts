import { maxListGenes, minPValue } from '@cellfolio/contract';
import { formatCount } from '@/lib/format.ts';
import { namesText } from '@/features/category-displays/index.ts';
import {
  columnNamed,
  numbersOf,
  type TableColumn,
  type TableColumns,
  type TextColumn,
  textAt,
  textsOf,
} from '@/features/tables/index.ts';

export interface GroupNames {
  /** Groups with few cells, shown with an asterisk. */
  marked?: ReadonlySet<string> | undefined;
  /** The user's labels of groups that differ from the dataset's names. */
  called?: ReadonlyMap<string, string> | undefined;
}

/** A value rounded for display; the exact one is in the file. */
export function formatCell(column: TableColumn, row: number, { marked, called }: GroupNames = {}): string {
  const value = column.numbers?.[row];
  if (value === undefined) {
    const text = textAt(column, row);
    if (column.name !== 'group') return text;
    return `${called?.get(text) ?? text}${marked?.has(text) ? '*' : ''}`;
  }
  if (Number.isNaN(value)) return '';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  const bound = pValueBound(column, row);
  if (bound !== undefined) return bound.replaceAll('-', '−');
  if (column.kind === 'count') return formatCount(value);
  if (column.kind === 'share') return `${(value * 100).toFixed(1)} %`;
  return shortNumber(value).replaceAll('-', '−');
}

/** Bound of a p-value that underflows, or that is below the resolution of permutations; a p-value is never 0. */
function pValueBound({ kind, numbers, bound = minPValue }: TableColumn, row: number): string | undefined {
  const isBelow = kind === 'p-value' && numbers !== undefined && numbers[row]! < minPValue;
  return isBelow ? `< ${Number(bound.toPrecision(2))}` : undefined;
}

/** The value with all digits, as in the file except for p-values written there as 0; a group with both its names. */
export function exactCell(column: TableColumn, row: number, called?: GroupNames['called']): string {
  const text = textAt(column, row);
  if (column.name === 'group' && called?.has(text)) return namesText(called.get(text)!, text);
  return pValueBound(column, row) ?? text;
}

/** Two decimals, three digits for small values, powers of ten beyond: columns that are easy to scan. */
function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (value === 0) return '0';
  if (size < 0.001 || size >= 1e6) return value.toExponential(2);
  if (size < 0.1) return value.toPrecision(3);
  return value.toFixed(2).replaceAll(/\B(?=(?:\d{3})+\.)/g, ',');
}

/**
 * The rows of the preview: the first and last five, or all of up to ten. The last ones are those with a p-value:
 * untested genes come after them, without a number.
 */
export function previewRows({ rowCount, columns }: Pick<TableColumns, 'rowCount' | 'columns'>): {
  first: number[];
  last: number[];
  between: number;
} {
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);
  if (rowCount <= 10) return { first: range(0, rowCount), last: [], between: 0 };
  const pValues = numbersOf(columns, 'pvals');
  let end = rowCount;
  while (end > 10 && Number.isNaN(pValues?.[end - 1] ?? 0)) end -= 1;
  return { first: range(0, 5), last: range(end - 5, end), between: rowCount - 10 };
}

/** The genes of the rows, each once: the marker column if there is one, else all gene columns. */
export function genesOf({ columns }: Pick<TableColumns, 'columns'>, rows: ArrayLike<number>): string[] {
  const names = textsOf(columns, 'names');
  const lists = columns.filter((one) => one.codes !== undefined).filter(({ kind }) => kind === 'genes');
  const genes = new Set<string>();
  for (const column of names === undefined ? lists : [names]) {
    for (const text of textsIn(column, rows)) {
      for (const gene of column.kind === 'genes' ? text.split(/[;+]/) : [text]) genes.add(gene);
    }
  }
  genes.delete('');
  return [...genes];
}

/** The texts of rows, each once. Uses a byte for each, so that millions of rows take a few milliseconds. */
function textsIn({ codes, categories }: TextColumn, rows: ArrayLike<number>): string[] {
  const seen = new Uint8Array(categories.length);
  const texts: string[] = [];
  for (let at = 0; at < rows.length; at++) {
    const code = codes[rows[at]!]!;
    if (seen[code] === 1) continue;
    seen[code] = 1;
    texts.push(categories[code]!);
  }
  return texts;
}

/**
 * Genes of each group among the rows, in their order: at most as many as a gene list holds. Empty when rows have no
 * groups.
 */
export function genesByGroup(
  { columns }: Pick<TableColumns, 'columns'>,
  rows: ArrayLike<number>,
): ReadonlyMap<string, readonly string[]> {
  const groups = textsOf(columns, 'group');
  if (groups === undefined) return new Map();
  const rowsOf = new Map<number, number[]>();
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!;
    const groupRows = rowsOf.get(groups.codes[row]!);
    if (groupRows === undefined) rowsOf.set(groups.codes[row]!, [row]);
    else if (groupRows.length < maxListGenes) groupRows.push(row);
  }
  return new Map(
    Array.from(rowsOf, ([code, ofGroup]) => [groups.categories[code]!, genesOf({ columns }, ofGroup)]),
  );
}

/** Whether rows are about genes or gene sets. */
export function isOfGenes({ columns }: Pick<TableColumns, 'columns'>): boolean {
  return columns.some(({ name, kind }) => name === 'names' || kind === 'genes');
}

/** Whether a row is about a gene rather than a gene set. */
export function hasGenes({ columns }: Pick<TableColumns, 'columns'>): boolean {
  return columnNamed(columns, 'names') !== undefined;
}
