import { type Column, type Table, packStrings } from '@cellfolio/model';
import { areBiotypes, areFeatureTypes } from '../features/gene-features.ts';
import { firstLineOf } from '../roles/first-line.ts';
import { TextFileError } from './read-text.ts';
import { basename } from 'node:path';

type Rows = readonly (readonly string[])[];

interface FittedTable {
  rows: Rows;
  titles: readonly string[] | undefined;
}

/**
 * Undefined unless the table has one line per name, optionally preceded by titles: an extra or missing line would give
 * each name the values of its neighbour.
 */
export function fitTable(rows: Rows, expectedCount: number): FittedTable | undefined {
  const first = firstLineOf(rows);
  if (rows.length === expectedCount && first !== 'titles') return { rows, titles: undefined };
  if (rows.length === expectedCount + 1 && first !== 'names')
    return { rows: rows.slice(1), titles: rows[0]! };
  return undefined;
}

/** `obs`: barcodes as the index, further columns by title. Throws TextFileError for a repeated barcode. */
export function cellTable(path: string, { rows, titles }: FittedTable): Table {
  const offset = titles === undefined ? 1 : 2;
  const lineOf = new Map<string, number>();
  for (const [position, [barcode = '']] of rows.entries()) {
    const line = position + offset;
    if (barcode === '')
      throw new TextFileError({ code: 'malformed', path, line, problem: 'holds no barcode.' });
    const before = lineOf.get(barcode);
    if (before !== undefined) {
      throw new TextFileError({
        code: 'repeated',
        path,
        line,
        problem: `repeats the barcode ${JSON.stringify(barcode)} of line ${before}. Each cell needs a barcode of its own; when samples were joined, add the sample to each barcode.`,
      });
    }
    lineOf.set(barcode, line);
  }
  return {
    rowCount: rows.length,
    indexName: '_index',
    index: packStrings(rows.map(([barcode = '']) => barcode)),
    columns: furtherColumns(rows, titles, 1),
  };
}

/**
 * `var` as from scanpy's `read_10x_mtx`: symbols as the index, made unique with `-1`, `-2`…, and the columns `gene_ids`
 * and `feature_types`; a third column with other content keeps its title. A one-column file gives only the index.
 * Throws TextFileError.
 */
export function geneTable(path: string, { rows, titles }: FittedTable): Table {
  const width = Math.max(...rows.slice(0, 1000).map((row) => row.length));
  const symbols = rows.map((row, position) => {
    const symbol = (width > 1 ? row[1] : row[0]) || row[0];
    if (!symbol) {
      const line = position + (titles === undefined ? 1 : 2);
      throw new TextFileError({ code: 'malformed', path, line, problem: 'holds no gene.' });
    }
    return symbol;
  });
  const columns = new Map<string, Column>();
  if (width > 1) columns.set('gene_ids', strings(rows.map(([id = '']) => id)));
  const third = rows.map((row) => row[2] ?? '');
  if (third.some((value) => value !== '')) columns.set(thirdTitle(third, titles?.[2]), textColumn(third));
  return {
    rowCount: rows.length,
    indexName: '_index',
    index: packStrings(uniqueNames(symbols)),
    columns,
  };
}

/** Cell Ranger has feature types in the third column, other tools biotypes or anything else. */
function thirdTitle(values: readonly string[], title: string | undefined): string {
  if (areFeatureTypes(values)) return 'feature_types';
  const own = plainColumnTitle(title);
  if (own !== '' && own !== 'gene_ids') return own;
  return areBiotypes(values) ? 'gene_biotype' : 'column_3';
}

/** Names with a special meaning in tables of the file: its index, itself, and the former location of categories. */
const reserved = new Set(['_index', '.', '__categories']);

function furtherColumns(
  rows: Rows,
  titles: readonly string[] | undefined,
  from: number,
): ReadonlyMap<string, Column> {
  const columns = new Map<string, Column>();
  const width = Math.max(titles?.length ?? 0, ...rows.slice(0, 1000).map((row) => row.length));
  for (let column = from; column < width; column++) {
    const title = plainColumnTitle(titles?.[column]);
    let name = title === '' || columns.has(title) ? `column_${column + 1}` : title;
    while (columns.has(name)) name += '_';
    columns.set(name, textColumn(rows.map((row) => row[column] ?? '')));
  }
  return columns;
}

/** A title as a name in the file, in which a slash would create a group; empty if impossible. */
function plainColumnTitle(title = ''): string {
  const plain = title.replaceAll('/', '_').replaceAll('\0', '');
  return reserved.has(plain) ? '' : plain;
}

function strings(values: readonly string[]): Column {
  return { kind: 'string', strings: packStrings(values) };
}

/** Trims the texts, unless two of them would become equal. */
function withoutBlanks(texts: readonly string[]): readonly string[] {
  const plain = texts.map((text) => text.trim());
  const blanked = texts.map((text, row) => (plain[row] === '' ? '' : text));
  return new Set(plain).size === new Set(blanked).size ? plain : blanked;
}

/** Text as categories; an empty field is missing. Numeric text becomes numbers. */
export function textColumn(texts: readonly string[]): Column {
  const values = withoutBlanks(texts);
  const present = values.filter((value) => value !== '' && value !== 'NA' && value !== 'NaN');
  if (present.length > 0 && present.every((value) => /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value))) {
    return {
      kind: 'numeric',
      dtype: 'float64',
      values: Float64Array.from(values, (v) => (present.length > 0 && v !== '' ? Number(v) : NaN)),
    };
  }
  const order = [...new Set(values.filter((value) => value !== ''))].toSorted();
  const code = new Map(order.map((value, position) => [value, position]));
  return {
    kind: 'categorical',
    codes: Int32Array.from(values, (value) => code.get(value) ?? -1),
    categories: order,
    categoryType: 'string',
    ordered: false,
  };
}

/** Like anndata's `var_names_make_unique`: the first keeps its name, the others get the lowest free number. */
export function uniqueNames(names: readonly string[]): string[] {
  const usedNames = new Set(names);
  const seen = new Map<string, number>();
  return names.map((name) => {
    const before = seen.get(name);
    if (before === undefined) {
      seen.set(name, 0);
      return name;
    }
    let number = before;
    let candidate: string;
    do candidate = `${name}-${++number}`;
    while (usedNames.has(candidate));
    seen.set(name, number);
    usedNames.add(candidate);
    return candidate;
  });
}

export type TableKind = 'barcodes' | 'features';

interface TableGuess {
  kind: TableKind;
  why: string;
}

const shown = 2000;

/** Whether a .tsv file lists cells or genes, by its name and else by its content. Undefined if neither shows it. */
export function guessTable(fileName: string, rows: readonly (readonly string[])[]): TableGuess | undefined {
  const name = basename(fileName).toLowerCase();
  if (/barcode|\bcells?\b/.test(name)) return { kind: 'barcodes', why: 'its name says so' };
  if (/feature|gene/.test(name)) return { kind: 'features', why: 'its name says so' };
  const sample = rows.slice(0, shown);
  const share = (is: (row: readonly string[]) => boolean) =>
    sample.filter(is).length / Math.max(1, sample.length);
  if (share(([first = '']) => isBarcode(first)) > 0.5)
    return { kind: 'barcodes', why: 'its first column holds barcodes of bases' };
  if (share(([first = '']) => isEnsemblId(first)) > 0.5)
    return { kind: 'features', why: 'its first column holds Ensembl ids' };
  if (share((row) => row.some((field) => /^Gene Expression$/i.test(field))) > 0.5)
    return { kind: 'features', why: 'it says Gene Expression' };
  if (/^quants_mat_(rows|cols)\.txt$/.test(name))
    return { kind: name.includes('rows') ? 'barcodes' : 'features', why: 'alevin-fry names it so' };
  return undefined;
}

const isBarcode = (text: string): boolean => /^[ACGTN]{8,}([-_]\w+)?$/.test(text);
const isEnsemblId = (text: string): boolean => /^ENS[A-Z]*G\d{6,}/.test(text);
