import {
  type Column,
  countText,
  listedNames,
  maxNameLength,
  packStrings,
  pluralWord,
  quotedHead,
  type Table,
} from '@cellfolio/model';
import type { NamedFile } from '../../matrix-market/convert-matrix-market.ts';
import { type ReadTextOptions, TextFileError } from '../../matrix-market/read-text.ts';
import { textColumn, uniqueNames } from '../../matrix-market/tenx-tables.ts';
import type { SparseBlock } from '../../write-h5ad/h5ad-content.ts';
import { writeFloatsH5ad } from '../../write-h5ad/write-h5ad.ts';
import type { Conversion, ConversionOptions, Converted, FirstLook } from '../conversion.ts';
import { windowsText } from '../../text-encoding.ts';
import { blankText, fieldEnds, fieldNumber, fieldText, numberOf } from './fields.ts';
import type { GenesIn } from '../../import-columns.ts';
import { genesAmong } from '../../roles/orientation.ts';
import { isNoFeature, isNoteTitle, notesAmong } from '../../roles/note-titles.ts';
import { ColumnSurvey, type NumberNotes, numberNotes } from './number-notes.ts';
import { noNumber, type TableLayout, tableLayout } from './table-layout.ts';
import { inItsEncoding, textLines } from './text-lines.ts';

/** By name, since text may contain anything. */
export function isTable({ file, folder, head }: FirstLook): boolean {
  return (
    folder === undefined &&
    /\.(csv|tsv|txt|tab)(\.gz)?$/i.test(file.name) &&
    !head.toString('latin1', 0, 14).startsWith('%%MatrixMarket')
  );
}

/**
 * Tables of values with names on both sides, genes x cells or the reverse; separated by comma, tab, semicolon or blank.
 */
export const textTable: Conversion = {
  title: 'a table of text',
  recognises: isTable,
  convert: convertTextTable,
};

interface Rows {
  names: readonly string[];
  /** Names of lines that are neither gene nor cell, by line number. */
  left: ReadonlyMap<number, string>;
}

const titles = { rows: 'cells in columns', columns: 'cells in rows' } as const;

/**
 * Writes the values as X, CSC if rows are genes and CSR if they are cells, so that rows are written as they are read.
 * Reads the file twice, or three times if it has notes about rows, and holds a line and some thousands of rows. Values
 * are float32, as in scanpy's `read_csv`, or float64 if counts exceed float32's precision; zeros are not stored.
 */
async function convertTextTable(
  { path }: NamedFile,
  output: string,
  { genesIn, signal, onProgress }: ConversionOptions,
): Promise<Converted> {
  const half = (from: number): ReadTextOptions => ({
    signal,
    onBytes: (read, all) => onProgress?.(from + (0.5 * read) / all),
  });
  const { layout, survey, read } = await inItsEncoding(async (encoding) => {
    const within = await tableLayout(path, encoding);
    const values = new ColumnSurvey(within);
    return { layout: within, survey: values, read: await readNames(path, within, values, half(0)) };
  });
  const { names, lines, left: linesOfNoFeature } = read;
  const otherTitles = layout.valueTitles.filter((title) => !isNoteTitle(title));
  const guess = genesAmong({ corner: layout.corner, rows: names, columns: otherTitles });
  const side: GenesIn = genesIn ?? guess?.genesIn ?? 'rows';
  const numbers = numberNotes(path, layout, { survey, genesIn: side });
  const divided = withNotes(path, layout, numbers);
  const rows = withoutNotes({ names, left: linesOfNoFeature }, lines, side);
  const columns = divided.valueTitles;
  const notes = await readNotes(path, divided, rows.left, { signal });
  const [genes, cells] = side === 'rows' ? [rows.names, columns] : [columns, rows.names];
  const unique = uniqueNames(genes);
  const renamed = unique.filter((name, at) => name !== genes[at]);
  const tables = {
    obs: tableOf(cells, side === 'columns' ? notes : new Map()),
    var: tableOf(unique, new Map([...typesOfGenes(genes), ...(side === 'rows' ? notes : [])])),
  };
  const format = side === 'rows' ? 'csc' : 'csr';
  await writeFloatsH5ad(
    output,
    (dtype) => ({
      ...tables,
      X: { format, dtype, blocks: blocksOf(path, divided, rows.left, half(0.5)) },
    }),
    { ...(signal && { signal }) },
  );
  const left = [...layout.left, ...rows.left.values()];
  const why =
    genesIn === undefined ? (guess?.why ?? 'assumed, since the names on neither side show it') : 'as stated';
  const sentences: readonly [string, readonly string[]][] = [
    ['Columns about the rows, without values', divided.notes.map(({ title }) => title)],
    ['Names that an earlier gene has too were given numbers', renamed],
    ['Left out of the table', left],
  ];
  return {
    notes: [
      `A table of ${countText(rows.names.length)} rows and ${countText(columns.length)} columns of values, genes in ${side} and ${titles[side]} (${why}).`,
      ...(layout.encoding === 'windows-1252' ? [`The table ${windowsText}`] : []),
      ...sentences.flatMap(([what, listed]) =>
        listed.length > 0 ? [`${what}: ${listedNames(listed, maxListed)}.`] : [],
      ),
      ...strikingNote(layout, numbers, side),
    ],
    table: { genesIn: side, assumed: genesIn === undefined && guess === undefined },
  };
}

/** Maximum listed names: all of an ordinary table; a hostile one may have a million. */
const maxListed = 100;

function strikingNote(
  { valueTitles }: TableLayout,
  { byValue }: NumberNotes,
  side: GenesIn,
): readonly string[] {
  if (byValue.size === 0) return [];
  const listed = Array.from(byValue, ([column, why]) => `${valueTitles[column]!} (${why})`);
  const [what, others] = side === 'rows' ? ['genes', 'cell'] : ['cells', 'gene'];
  return [
    `Taken for notes about the ${what} by their values: ${listedNames(listed, maxListed, 160)}. They are kept as columns beside the names of the ${what}; give a column that is a ${others} a name like those of the other ${others}s.`,
  ];
}

/** Moves numeric note columns to the notes of the layout. Throws TextFileError if all columns are notes. */
function withNotes(path: string, layout: TableLayout, { byTitle, byValue }: NumberNotes): TableLayout {
  const noteColumns = new Set([...byTitle, ...byValue.keys()]);
  if (noteColumns.size === 0) return layout;
  const { valueFields, valueTitles, notes } = layout;
  const isValue = (_: unknown, column: number) => !noteColumns.has(column);
  if (noteColumns.size === valueTitles.length)
    throw new TextFileError({
      code: 'malformed',
      path,
      line: layout.titleLine,
      problem: `names no column of values: ${listedNames(valueTitles)} ${pluralWord(valueTitles.length, 'says', 'say')} something about the rows.`,
    });
  const numbers = [...noteColumns].map((column) => ({
    field: valueFields[column]!,
    title: valueTitles[column]!,
  }));
  return {
    ...layout,
    notes: [...notes, ...numbers].toSorted((one, other) => one.field - other.field),
    valueFields: valueFields.filter(isValue),
    valueTitles: valueTitles.filter(isValue),
  };
}

/** Removes rows of notes: a transposed table has numbers about cells below the genes. */
function withoutNotes({ names, left }: Rows, lines: readonly number[], side: GenesIn): Rows {
  const notes = notesAmong(names, side === 'rows' ? 'cells' : 'genes');
  // Most rows are no notes, whatever they are called.
  if (notes.size === 0 || 2 * notes.size > names.length) return { names, left };
  const noted = Array.from(notes, (row) => [lines[row]!, names[row]!] as const);
  return {
    names: names.filter((_, row) => !notes.has(row)),
    left: new Map([...left, ...noted].toSorted(([one], [other]) => one - other)),
  };
}

/**
 * Feature types, if some names are of antibodies as BD Rhapsody writes them: `CD103|ITGAE|AHS0001|pAbO`
 * (https://bd-rhapsody-bioinfo-docs.genomics.bd.com).
 */
function typesOfGenes(genes: readonly string[]): readonly (readonly [string, Column])[] {
  const types = genes.map((name) => (name.endsWith('|pAbO') ? 'Antibody Capture' : 'Gene Expression'));
  return types.includes('Antibody Capture') ? [['feature_types', textColumn(types)]] : [];
}

function tableOf(names: readonly string[], notes: ReadonlyMap<string, Column>): Table {
  return {
    rowCount: names.length,
    indexName: '_index',
    index: packStrings(names),
    columns: new Map(notes),
  };
}

/**
 * Reads the names and line numbers of all rows and surveys the columns; checks that each line has all its fields.
 * Throws TextFileError.
 */
async function readNames(
  path: string,
  { encoding, delimiter, titleLine, nameField, fieldCount: fields }: TableLayout,
  survey: ColumnSurvey,
  options: ReadTextOptions,
): Promise<Rows & { lines: readonly number[] }> {
  const names: string[] = [];
  const lines: number[] = [];
  const left = new Map<number, string>();
  const ends = new Int32Array(fields);
  for await (const { bytes, number } of textLines(path, { ...options, encoding })) {
    if (number === titleLine) continue;
    const count = fieldEnds(bytes, delimiter, ends);
    const refused = (code: 'malformed' | 'too-long', problem: string) =>
      new TextFileError({ code, path, line: number, problem });
    if (count !== fields) {
      throw refused(
        'malformed',
        `has ${countText(count)} fields, the lines above have ${countText(fields)}. The file may be cut short: copy or export it again.`,
      );
    }
    const name = fieldText(bytes, nameField === 0 ? 0 : ends[nameField - 1]! + 1, ends[nameField]!);
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
    lines.push(number);
    survey.add(bytes, ends, number);
  }
  return { names, lines, left };
}

async function readNotes(
  path: string,
  layout: TableLayout,
  left: Rows['left'],
  options: ReadTextOptions,
): Promise<ReadonlyMap<string, Column>> {
  const titled = noteTitles(layout);
  if (titled.length === 0) return new Map();
  const texts = titled.map((): string[] => []);
  const ends = new Int32Array(1 + Math.max(...titled.map(({ field }) => field)));
  for await (const { bytes, number } of textLines(path, { ...options, encoding: layout.encoding })) {
    if (number === layout.titleLine || left.has(number)) continue;
    if (fieldEnds(bytes, layout.delimiter, ends) !== layout.fieldCount) throw changed(path, number);
    for (const [at, { field }] of titled.entries()) {
      const text = blankText(bytes, field === 0 ? 0 : ends[field - 1]! + 1, ends[field]!);
      texts[at]!.push(text);
    }
  }
  return new Map(titled.map(({ title }, at) => [title, noteColumn(texts[at]!)]));
}

function noteColumn(texts: readonly string[]): Column {
  const numbers = texts.map((text) => numberOf(text.trim()));
  if (numbers.includes(undefined)) return textColumn(texts);
  return { kind: 'numeric', dtype: 'float64', values: Float64Array.from(numbers as number[]) };
}

/** Names with a special meaning in tables of the output file, as in tables of a Matrix Market trio. */
const reserved = new Set(['', '.', '_index', '__categories']);

function noteTitles({ notes }: TableLayout): TableLayout['notes'] {
  const used = new Set<string>();
  return notes.map(({ field, title: rawTitle }) => {
    // A slash would be a folder in the file.
    const plain = rawTitle.replaceAll('/', '_').slice(0, maxNameLength);
    let title = reserved.has(plain) ? `column_${field + 1}` : plain;
    while (used.has(title)) title += '_';
    used.add(title);
    return { field, title };
  });
}

/** Maximum float32; larger values would become infinite. */
const maxValue = 3.4028234663852886e38;

const blockEntries = 1 << 20;
const blockRows = 65_536;

async function* blocksOf(
  path: string,
  { encoding, delimiter, titleLine, fieldCount: count, valueFields: fields, valueTitles }: TableLayout,
  left: Rows['left'],
  options: ReadTextOptions,
): AsyncGenerator<SparseBlock> {
  const ends = new Int32Array(count);
  let block = new RowBlock(fields.length);
  for await (const { bytes, number } of textLines(path, { ...options, encoding })) {
    if (number === titleLine || left.has(number)) continue;
    if (fieldEnds(bytes, delimiter, ends) !== count) throw changed(path, number);
    for (let column = 0; column < fields.length; column++) {
      // The first field is never one of values.
      const field = fields[column]!;
      const value = fieldNumber(bytes, ends[field - 1]! + 1, ends[field]!);
      if (value === undefined || Math.abs(value) > maxValue) {
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
