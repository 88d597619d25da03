import { asyncBufferFromFile, parquetMetadataAsync, parquetRead } from 'hyparquet';
import { type Column, countText, type Embedding, listedNames, quotedHead } from '@cellfolio/model';
import type { AboutCells, NamedFile } from '../../matrix-market/convert-matrix-market.ts';
import { readTable, TextFileError } from '../../matrix-market/read-text.ts';
import { numberOf } from '../text-table/fields.ts';

export interface CellFiles {
  positions?: NamedFile | undefined;
  clusterings: (NamedFile & { column: string })[];
  projections: (NamedFile & { embedding: string })[];
}

/** Reads the tables about cells that Cell Ranger and Space Ranger write, by barcode. Throws TextFileError. */
export async function aboutCells(
  { positions, clusterings, projections }: Readonly<CellFiles>,
  barcodes: readonly string[],
): Promise<AboutCells> {
  const columns = new Map<string, Column>();
  const embeddings: Embedding[] = [];
  const notes: string[] = [];
  if (positions !== undefined) {
    const spots = await spotsOf(positions, barcodes);
    for (const [name, column] of spots.columns) columns.set(name, column);
    embeddings.push(spots.embedding);
    notes.push(
      `The positions of the ${countText(barcodes.length)} spots are those of ${positions.name}, in pixels of the full-resolution image, y downwards. The image itself is not read.`,
    );
  }
  for (const file of clusterings) columns.set(file.column, await clustersOf(file, barcodes));
  for (const file of projections) {
    const read = await projectionOf(file, barcodes);
    if (typeof read === 'string') notes.push(read);
    else embeddings.push(read);
  }
  const read = [...clusterings, ...projections].map(({ name }) => name);
  if (read.length > 0) notes.push(`Clusters and coordinates of Cell Ranger were read: ${listedNames(read)}.`);
  return { columns, embeddings, notes };
}

const positionTitles = [
  'barcode',
  'in_tissue',
  'array_row',
  'array_col',
  'pxl_row_in_fullres',
  'pxl_col_in_fullres',
];

/**
 * Positions of spots as scanpy's `read_visium` has them: `obsm['spatial']` is the pixel column, then the pixel row.
 * `tissue_positions.csv` has titles; `tissue_positions_list.csv` of Space Ranger before 2.0 has none. Those of Visium HD
 * are `tissue_positions.parquet`.
 */
async function spotsOf(file: NamedFile, barcodes: readonly string[]) {
  const rows = file.name.endsWith('.parquet')
    ? await parquetRows(file, new Set(barcodes))
    : await rowsOf(file);
  const hasTitles = rows[0]?.[0] === 'barcode';
  const titles = hasTitles ? rows[0]! : positionTitles;
  const rowOf = rowsByBarcode(file, rows.slice(hasTitles ? 1 : 0), barcodes);
  const missing = barcodes.filter((barcode) => !rowOf.has(barcode)).length;
  if (missing > 0) throw lacks(file, missing, barcodes);
  const numbers = (title: string) => {
    const at = titles.indexOf(title);
    if (at < 0) throw refused(file, `has no column ${title}. ${copyAgain}`);
    return Float64Array.from(barcodes, (barcode) => numberIn(file, rowOf, barcode, at));
  };
  const [x, y] = [numbers('pxl_col_in_fullres'), numbers('pxl_row_in_fullres')];
  const values = new Float64Array(2 * barcodes.length);
  x.forEach((_, cell) => values.set([x[cell]!, y[cell]!], 2 * cell));
  const columns = ['in_tissue', 'array_row', 'array_col'].map((title): [string, Column] => [
    title,
    { kind: 'numeric', dtype: 'float64', values: numbers(title) },
  ]);
  return { columns, embedding: { name: 'spatial', dimensions: 2, values } };
}

async function clustersOf(file: NamedFile, barcodes: readonly string[]): Promise<Column> {
  const [, ...rows] = await rowsOf(file);
  const rowOf = rowsByBarcode(file, rows, barcodes);
  const names = barcodes.map((barcode) => rowOf.get(barcode)?.[1] ?? '');
  const categories = [...new Set(names)].filter((name) => name !== '').toSorted(byNumber);
  const codes = new Map(categories.map((name, code) => [name, code]));
  return {
    kind: 'categorical',
    codes: Int32Array.from(names, (name) => codes.get(name) ?? -1),
    categories,
    categoryType: 'string',
    ordered: false,
  };
}

const byNumber = (one: string, other: string) => one.localeCompare(other, 'en', { numeric: true });

async function projectionOf(
  file: NamedFile & { embedding: string },
  barcodes: readonly string[],
): Promise<Embedding | string> {
  const [titles = [], ...rows] = await rowsOf(file);
  const dimensions = titles.length - 1;
  if (dimensions < 2) throw refused(file, `has no two columns of coordinates. ${copyAgain}`);
  const rowOf = rowsByBarcode(file, rows, barcodes);
  const missing = barcodes.filter((barcode) => !rowOf.has(barcode)).length;
  if (missing > 0)
    return `${file.embedding} was left out: ${file.name} has no coordinates of ${countText(missing)} of the ${countText(barcodes.length)} cells.`;
  const values = new Float64Array(barcodes.length * dimensions);
  barcodes.forEach((barcode, cell) => {
    for (let at = 0; at < dimensions; at++)
      values[cell * dimensions + at] = numberIn(file, rowOf, barcode, at + 1);
  });
  return { name: file.embedding, dimensions, values };
}

type Row = readonly string[];

async function rowsOf(file: NamedFile): Promise<readonly Row[]> {
  try {
    return (await readTable(file.path)).rows;
  } catch (error) {
    if (!(error instanceof TextFileError)) throw error;
    const { code, line, problem, cause } = error;
    throw new TextFileError({ code, path: file.name, problem, cause, ...(line && { line }) });
  }
}

/** Titles, then the rows of the barcodes: a slide of Visium HD has 11 million bins of 2 µm, most of them off the tissue. */
async function parquetRows(file: NamedFile, barcodes: ReadonlySet<string>): Promise<readonly Row[]> {
  const buffer = await asyncBufferFromFile(file.path);
  try {
    const metadata = await parquetMetadataAsync(buffer);
    const columns = positionTitles.filter((title) => metadata.schema.some(({ name }) => name === title));
    const read: Row[] = [columns];
    let rowStart = 0;
    for (const { num_rows: count } of metadata.row_groups) {
      const rowEnd = rowStart + Number(count);
      await parquetRead({
        file: buffer,
        metadata,
        columns,
        rowStart,
        rowEnd,
        onComplete: (rows) => {
          for (const row of rows) if (barcodes.has(String(row[0]))) read.push(row.map(String));
        },
      });
      rowStart = rowEnd;
    }
    return read;
  } catch (cause) {
    const problem = `cannot be read as Parquet. Save it as tissue_positions.csv, or remove it to read the matrix alone.`;
    throw new TextFileError({ code: 'malformed', path: file.name, problem, cause });
  }
}

/** Rows by barcode. Throws TextFileError if no barcode of the matrix has one: the table is that of another run. */
function rowsByBarcode(
  file: NamedFile,
  rows: readonly Row[],
  barcodes: readonly string[],
): ReadonlyMap<string, Row> {
  const rowOf = new Map(rows.map((row) => [row[0] ?? '', row]));
  if (barcodes.some((barcode) => rowOf.has(barcode))) return rowOf;
  throw lacks(file, barcodes.length, barcodes);
}

function lacks(file: NamedFile, missing: number, barcodes: readonly string[]): TextFileError {
  return refused(
    file,
    `lacks ${countText(missing)} of the ${countText(barcodes.length)} barcodes of the matrix. Use the folder of one run as the pipeline wrote it, or remove this file to read the matrix alone.`,
  );
}

function numberIn(file: NamedFile, rowOf: ReadonlyMap<string, Row>, barcode: string, at: number): number {
  const text = rowOf.get(barcode)![at] ?? '';
  const number = text === '' ? undefined : numberOf(text);
  if (number !== undefined && Number.isFinite(number)) return number;
  throw refused(
    file,
    `has ${quotedHead(text)} in the place of a number of ${quotedHead(barcode)}. ${copyAgain}`,
  );
}

const copyAgain = 'Copy the folder again, or remove this file to read the matrix alone.';

function refused({ name }: NamedFile, problem: string): TextFileError {
  return new TextFileError({ code: 'malformed', path: name, problem });
}
