import { isCsvFormula, minPValue } from '@cellfolio/contract';
import type { AnalysisResult, ColumnKind } from './analysis-module.ts';
import { readResult } from './analysis-module.ts';

interface ResultColumn extends ColumnKind {
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
  const known = result.module.columns;
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

/** The genes that rows are about, each once: of markers the gene, else those of all columns of genes. */
export function genesOf(table: ResultTable, rows: readonly number[]): string[] {
  const names = table.columns.find(({ name }) => name === 'names');
  const lists = table.columns.filter(({ kind }) => kind === 'genes');
  return [
    ...new Set(
      rows
        .flatMap((row) =>
          names ? [names.texts[row] ?? ''] : lists.flatMap(({ texts }) => (texts[row] ?? '').split(/[;+]/)),
        )
        .filter((gene) => gene !== ''),
    ),
  ];
}

/** A table as columns of text, all of one length. */
interface CsvTable {
  header: string[];
  /** One array for each column of the header. */
  columns: string[][];
  rowCount: number;
  /** The text as it is: comment lines, the header line, and each row with its end of line. */
  source: { comments: string; header: string; rows: string[] };
}

/**
 * Reads RFC 4180 with one header line, below comment lines that begin with `#`. Short rows are filled up with empty text. An apostrophe before what a
 * spreadsheet would take for a formula is taken off: it is there for spreadsheets alone.
 */
export function readCsv(text: string): CsvTable {
  const header: string[] = [];
  const columns: string[][] = [];
  let rowCount = 0;
  let row: string[] = [];
  const comments = /^(?:#[^\n]*\n)*/.exec(text)![0];
  let at = comments.length;
  let start = at;
  const source = { comments, header: '', rows: [] as string[] };
  const endRow = () => {
    const line = text.slice(start, at);
    start = at;
    if (header.length === 0) {
      header.push(...row);
      columns.push(...header.map(() => []));
      source.header = line;
    } else {
      source.rows.push(line);
      columns.forEach((column, place) => column.push(withoutGuard(row[place] ?? '')));
      rowCount++;
    }
    row = [];
  };
  while (at < text.length) {
    let field: string;
    if (text[at] === '"') {
      const end = closingQuote(text, at + 1);
      field = text.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
    } else {
      let end = at;
      while (end < text.length && text[end] !== ',' && text[end] !== '\n' && text[end] !== '\r') end++;
      field = text.slice(at, end);
      at = end;
    }
    row.push(field);
    if (text[at] === ',') {
      at++;
      if (at < text.length && text[at] !== '\n' && text[at] !== '\r') continue;
      row.push('');
    }
    if (text[at] === '\r') at++;
    if (text[at] === '\n') at++;
    endRow();
  }
  return { header, columns, rowCount, source };
}

function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at === -1 ? text.length : at;
}

function withoutGuard(text: string): string {
  return text.startsWith("'") && isCsvFormula(text.slice(1)) ? text.slice(1) : text;
}
