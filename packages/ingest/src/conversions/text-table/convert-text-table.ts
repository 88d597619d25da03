import {
  type Column,
  countText,
  listedNames,
  maxNameLength,
  packStrings,
  quotedHead,
  type Table,
} from '@cellfolio/model';
import type { NamedFile } from '../../matrix-market/convert-matrix-market.ts';
import { type ReadTextOptions, TextFileError } from '../../matrix-market/read-text.ts';
import { textColumn, uniqueNames } from '../../matrix-market/tenx-tables.ts';
import { H5adWriteFailed, type SparseBlock } from '../../write-h5ad/h5ad-content.ts';
import { writeFloatsH5ad } from '../../write-h5ad/write-h5ad.ts';
import type { Conversion, ConversionOptions, Converted, FirstLook, GenesIn } from '../conversion.ts';
import { fieldEnds, fieldNumber, fieldText, numberOf } from './fields.ts';
import { genesAmong } from '../../roles/orientation.ts';
import { isNoFeature, noNumber, type TableLayout, tableLayout } from './table-layout.ts';
import { textLines } from './text-lines.ts';

/** By its name: text may be anything. */
export function isTable({ file, folder, head }: FirstLook): boolean {
  return (
    folder === undefined &&
    /\.(csv|tsv|txt|tab)(\.gz)?$/i.test(file.name) &&
    !head.toString('latin1', 0, 14).startsWith('%%MatrixMarket')
  );
}

/** Tables of values with names on both sides, genes x cells or the reverse; comma, tab, semicolon or blank between them. */
export const textTable: Conversion = {
  title: 'a table of text',
  recognises: isTable,
  convert: convertTextTable,
};

/** Names of rows and text about them, found by a first reading. */
interface Rows {
  readonly names: readonly string[];
  readonly notes: ReadonlyMap<string, Column>;
  /** Names by the numbers of the lines that are of no gene and no cell. */
  readonly left: ReadonlyMap<number, string>;
}

const titles = { rows: 'cells in columns', columns: 'cells in rows' } as const;

/**
 * Writes the values as X, CSC where the rows are genes and CSR where they are cells, so that a row is written as it is
 * read: twice the file is read, and a line and some thousands of rows are held. Values are float32, as scanpy's
 * `read_csv` has them, or float64 where there are counts that float32 does not hold; zeros are not stored.
 */
async function convertTextTable(
  { path }: NamedFile,
  output: string,
  { genesIn, signal, onProgress }: ConversionOptions,
): Promise<Converted> {
  const layout = await tableLayout(path);
  const half = (from: number): ReadTextOptions => ({
    signal,
    onBytes: (read, all) => onProgress?.(from + (0.5 * read) / all),
  });
  const rows = await readRows(path, layout, half(0));
  const columns = layout.valueTitles;
  const found = genesAmong({ corner: layout.corner, rows: rows.names, columns });
  const side: GenesIn = genesIn ?? found?.genesIn ?? 'rows';
  const [genes, cells] = side === 'rows' ? [rows.names, columns] : [columns, rows.names];
  const unique = uniqueNames(genes);
  const renamed = unique.filter((name, at) => name !== genes[at]);
  const tables = {
    obs: tableOf(cells, side === 'columns' ? rows.notes : new Map()),
    var: tableOf(unique, side === 'rows' ? rows.notes : new Map()),
  };
  const format = side === 'rows' ? 'csc' : 'csr';
  try {
    await writeFloatsH5ad(
      output,
      (dtype) => ({
        ...tables,
        X: { format, dtype, blocks: blocksOf(path, layout, rows.left, half(0.5)) },
      }),
      { ...(signal && { signal }) },
    );
  } catch (error) {
    // What is wrong with the table is not the fault of the writing.
    throw error instanceof H5adWriteFailed && error.cause instanceof TextFileError ? error.cause : error;
  }
  const left = [...layout.left, ...rows.left.values()];
  const why =
    genesIn === undefined ? (found?.why ?? 'assumed, since the names on neither side show it') : 'as stated';
  return {
    notes: [
      `A table of ${countText(rows.names.length)} rows and ${countText(columns.length)} columns of values, genes in ${side} and ${titles[side]} (${why}).`,
      ...(layout.notes.length > 0
        ? [`Columns about the rows, without values: ${listedNames(layout.notes.map(({ title }) => title))}.`]
        : []),
      ...(renamed.length > 0
        ? [`Names that an earlier gene has too were given numbers: ${listedNames(renamed)}.`]
        : []),
      ...(left.length > 0 ? [`Left out of the table: ${listedNames(left)}.`] : []),
    ],
    table: { genesIn: side, assumed: genesIn === undefined && found === undefined },
  };
}

function tableOf(names: readonly string[], notes: Rows['notes']): Table {
  return {
    rowCount: names.length,
    indexName: '_index',
    index: packStrings(names),
    columns: new Map(notes),
  };
}

/** Reads the names and the text of all rows, and checks that each has its fields. Throws TextFileError. */
async function readRows(path: string, layout: TableLayout, options: ReadTextOptions): Promise<Rows> {
  const { delimiter, titleLine, nameField } = layout;
  const names: string[] = [];
  const titled = noteTitles(layout);
  const notes = new Map(titled.map(({ title }) => [title, [] as string[]]));
  const left = new Map<number, string>();
  const ends = new Int32Array(1 + Math.max(nameField, ...titled.map(({ field }) => field)));
  for await (const { bytes, number } of textLines(path, options)) {
    if (number === titleLine) continue;
    const count = fieldEnds(bytes, delimiter, ends);
    const refused = (code: 'malformed' | 'too-long', problem: string) =>
      new TextFileError({ code, path, line: number, problem });
    if (count !== layout.fieldCount) {
      throw refused(
        'malformed',
        `has ${countText(count)} fields, the lines above have ${countText(layout.fieldCount)}. The file may be cut short: copy or export it again.`,
      );
    }
    const textOf = (field: number) => fieldText(bytes, field === 0 ? 0 : ends[field - 1]! + 1, ends[field]!);
    const name = textOf(nameField);
    if (name === '') throw refused('malformed', `holds no name in column ${nameField + 1}.`);
    if (name.length > maxNameLength) {
      throw refused(
        'too-long',
        `holds a name of ${countText(name.length)} characters (${quotedHead(name)}), and ${maxNameLength} are the most.`,
      );
    }
    if (isNoFeature(name)) {
      left.set(number, name);
      continue;
    }
    names.push(name);
    for (const { field, title } of titled) notes.get(title)!.push(textOf(field).slice(0, maxNameLength));
  }
  const columns = titled.map(
    ({ title, isNumber }) => [title, noteColumn(notes.get(title)!, isNumber)] as const,
  );
  return { names, notes: new Map(columns), left };
}

/** Numbers, unless one of the fields is none after all. */
function noteColumn(texts: readonly string[], isNumber: boolean): Column {
  const numbers = isNumber ? texts.map(numberOf) : [];
  if (!isNumber || numbers.includes(undefined)) return textColumn(texts);
  return { kind: 'numeric', dtype: 'float64', values: Float64Array.from(numbers as number[]) };
}

/** Names with a meaning of their own in a table of the file, as in tables of a Matrix Market trio. */
const reserved = new Set(['', '.', '_index', '__categories']);

function noteTitles({ notes }: TableLayout): TableLayout['notes'] {
  const used = new Set<string>();
  return notes.map(({ field, title: given, isNumber }) => {
    // A slash would be a folder in the file.
    const plain = given.replaceAll('/', '_').slice(0, maxNameLength);
    let title = reserved.has(plain) ? `column_${field + 1}` : plain;
    while (used.has(title)) title += '_';
    used.add(title);
    return { field, title, isNumber };
  });
}

/** A block has so many entries at least, unless it is the last or has many rows. */
const blockEntries = 1 << 20;
const blockRows = 65_536;

async function* blocksOf(
  path: string,
  { delimiter, titleLine, fieldCount: count, valueFields: fields, valueTitles }: TableLayout,
  left: Rows['left'],
  options: ReadTextOptions,
): AsyncGenerator<SparseBlock> {
  const ends = new Int32Array(count);
  let block = new RowBlock(fields.length);
  for await (const { bytes, number } of textLines(path, options)) {
    if (number === titleLine || left.has(number)) continue;
    if (fieldEnds(bytes, delimiter, ends) !== count) throw changed(path, number);
    for (let column = 0; column < fields.length; column++) {
      // The first field is never one of values.
      const field = fields[column]!;
      const value = fieldNumber(bytes, ends[field - 1]! + 1, ends[field]!);
      if (value === undefined) {
        const text = fieldText(bytes, ends[field - 1]! + 1, ends[field]!);
        throw noNumber(path, { text, line: number, field, title: valueTitles[column]! });
      }
      if (value !== 0) block.add(column, value);
    }
    block.endRow();
    if (block.entries < blockEntries && block.rows < blockRows) continue;
    yield block.finish();
    block = new RowBlock(fields.length);
  }
  yield block.finish();
}

function changed(path: string, line: number): TextFileError {
  return new TextFileError({ code: 'malformed', path, line, problem: 'changed while the file was read.' });
}

/** Some rows while they are read. */
class RowBlock {
  readonly #pointers: number[] = [0];
  #indices: Int32Array;
  #values: Float64Array;
  entries = 0;

  constructor(columns: number) {
    const first = Math.max(1024, Math.min(blockEntries, columns));
    this.#indices = new Int32Array(first);
    this.#values = new Float64Array(first);
  }

  get rows(): number {
    return this.#pointers.length - 1;
  }

  add(column: number, value: number): void {
    const at = this.entries++;
    if (at === this.#indices.length) this.#grow();
    this.#indices[at] = column;
    this.#values[at] = value;
  }

  endRow(): void {
    this.#pointers.push(this.entries);
  }

  finish(): SparseBlock {
    return {
      indptr: this.#pointers,
      indices: this.#indices.subarray(0, this.entries),
      values: this.#values.subarray(0, this.entries),
    };
  }

  #grow(): void {
    const indices = new Int32Array(2 * this.#indices.length);
    const values = new Float64Array(indices.length);
    indices.set(this.#indices);
    values.set(this.#values);
    this.#indices = indices;
    this.#values = values;
  }
}
