import { minPValue } from '@cellfolio/contract';
import type { AnalysisResult } from './analyses.ts';
import { moduleOf, readResult } from './analyses.ts';
import type { ColumnKind } from './analysis-module.ts';
import type { CsvTable } from './read-csv.ts';
import { readCsv } from './read-csv.ts';

export interface ResultColumn extends ColumnKind {
  /** The heading in the CSV file. */
  name: string;
  /** One for each row. */
  texts: readonly string[];
  /** The same as numbers, for sorting; `NaN` where there is none. Absent for text. */
  numbers?: Float64Array;
  /** Texts that are marked with an asterisk: groups of few cells. */
  marked?: ReadonlySet<string>;
}

/** A result's table, ready to be shown, searched and sorted. */
export interface ResultTable {
  columns: readonly ResultColumn[];
  rowCount: number;
  /** Text of the file that it was read from. */
  source: CsvTable['source'];
}

export function resultTable(result: AnalysisResult): ResultTable {
  const read = readResult(result);
  const { header, columns, rowCount, source } = readCsv(read.csv);
  const known = moduleOf(result.kind).columns;
  const marked = new Set(read.groups.filter(({ few_cells }) => few_cells).map(({ name }) => name));
  return {
    rowCount,
    source,
    columns: header.map((name, place) => {
      const texts = columns[place] ?? [];
      const { label, kind } = known.get(name) ?? { label: name, kind: 'text' as const };
      if (kind !== 'text' && kind !== 'genes') {
        return { name, label, kind, texts, numbers: Float64Array.from(texts, readNumber) };
      }
      return name === 'group' ? { name, label, kind, texts, marked } : { name, label, kind, texts };
    }),
  };
}

function readNumber(text: string): number {
  if (text === 'inf') return Infinity;
  if (text === '-inf') return -Infinity;
  return text === '' ? NaN : Number(text);
}

/** A value as it is read at a glance; the exact one is in the file. */
export function formatCell(column: ResultColumn, row: number): string {
  const text = column.texts[row] ?? '';
  const value = column.numbers?.[row];
  if (value === undefined || Number.isNaN(value)) return column.marked?.has(text) ? `${text}*` : text;
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  const bound = pValueBound(column, row);
  if (bound !== undefined) return bound.replaceAll('-', '−');
  if (column.kind === 'share') return `${(value * 100).toFixed(1)}%`;
  return shortNumber(value).replaceAll('-', '−');
}

/** What can be said of a p-value that is too small for a number, which is never nothing. */
function pValueBound({ kind, numbers }: ResultColumn, row: number): string | undefined {
  const isBelow = kind === 'p-value' && numbers !== undefined && numbers[row]! < minPValue;
  return isBelow ? `< ${minPValue.toPrecision(2)}` : undefined;
}

/** The value with all its digits, as it is in the file but for p-values that are written there as 0. */
export function exactCell(column: ResultColumn, row: number): string | undefined {
  return pValueBound(column, row) ?? column.texts[row];
}

/** Two decimals, three digits of what is small, powers of ten beyond: columns that can be read down. */
function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (value === 0) return '0';
  if (size < 0.001 || size >= 1e6) return value.toExponential(2);
  return size < 0.1 ? value.toPrecision(3) : value.toFixed(2);
}

/** The rows of the preview: the first and the last five, or all where they are ten at most. */
export function previewRows(rowCount: number): { first: number[]; last: number[]; between: number } {
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);
  if (rowCount <= 10) return { first: range(0, rowCount), last: [], between: 0 };
  return { first: range(0, 5), last: range(rowCount - 5, rowCount), between: rowCount - 10 };
}

/** The genes that rows are about, each once: of markers the gene, of gene sets the genes of the overlap. */
export function genesOf(table: ResultTable, rows: readonly number[]): string[] {
  const names = table.columns.find(({ name }) => name === 'names');
  const sets = table.columns.find(({ name }) => name === 'Genes');
  return [
    ...new Set(
      rows
        .flatMap((row) => (names ? [names.texts[row] ?? ''] : (sets?.texts[row] ?? '').split(';')))
        .filter((gene) => gene !== ''),
    ),
  ];
}
