import { countText, maxNameLength, packStrings, quotedHead, type Table } from '@cellfolio/model';
import { cellBlocks, type EntriesOfFile, type MatrixSurvey } from '../../matrix-market/cells-of-matrix.ts';
import type { NamedFile } from '../../matrix-market/convert-matrix-market.ts';
import { type ReadTextOptions, TextFileError } from '../../matrix-market/read-text.ts';
import { type FloatType, writeFloatsH5ad } from '../../write-h5ad/write-h5ad.ts';
import type { Conversion, ConversionOptions, Converted } from '../conversion.ts';
import { fieldEnds, fieldNumber, fieldText, fieldTexts } from '../text-table/fields.ts';
import { isTable } from '../text-table/convert-text-table.ts';
import { type TextEncoding, windowsText } from '../../text-encoding.ts';
import { inItsEncoding, textLines } from '../text-table/text-lines.ts';

/** Tables with one line per count (gene, cell and number), as `umi_tools count` writes. */
export const longTable: Conversion = {
  title: 'a table with a count in each line',
  recognises: (look) => isTable(look) && columnsIn(firstLine(look.head)) !== undefined,
  convert: convertLongTable,
};

interface LongColumns {
  delimiter: number;
  gene: number;
  cell: number;
  value: number;
}

const titles = {
  gene: /^(gene|genes|gene_?(id|name|symbol)|feature|symbol)$/i,
  cell: /^(cell|cells|cell_?(id|name|barcode)|barcode|cb)$/i,
  value: /^(count|counts|umi|umis|umi_?count|value|n|reads)$/i,
};

function columnsIn(line: Buffer): LongColumns | undefined {
  for (const character of '\t,; ') {
    const delimiter = character.charCodeAt(0);
    const fields = fieldTexts(line, delimiter);
    if (fields.length !== 3) continue;
    const [gene, cell, value] = [titles.gene, titles.cell, titles.value].map((title) =>
      fields.findIndex((field) => title.test(field)),
    ) as [number, number, number];
    if (gene >= 0 && cell >= 0 && value >= 0) return { delimiter, gene, cell, value };
  }
  return undefined;
}

/** Without byte-order mark, padding zeros and the rest of the file. */
function firstLine(head: Buffer): Buffer {
  const start = head.toString('latin1', 0, 3) === '\u00EF\u00BB\u00BF' ? 3 : 0;
  const end = head.findIndex((byte) => byte === 10 || byte === 13 || byte === 0);
  return head.subarray(start, end < 0 ? head.length : end);
}

interface Survey extends MatrixSurvey {
  genes: readonly string[];
  cells: readonly string[];
}

/**
 * Writes the counts as X, CSR. Reads the file twice if the lines of a cell are adjacent, else once more per thirty
 * million lines. Memory holds all names, and the counts of some cells.
 */
async function convertLongTable(
  { path }: NamedFile,
  output: string,
  { signal, onProgress }: ConversionOptions,
): Promise<Converted> {
  const onBytes = (done: number, all: number) => onProgress?.((0.5 * done) / all);
  const { survey, encoding } = await inItsEncoding(async (encoding) => ({
    survey: await surveyed(path, longEntries(path, { signal, encoding, onBytes })),
    encoding,
  }));
  const places = { genes: placesOf(survey.genes), cells: placesOf(survey.cells) };
  const file: EntriesOfFile = { path, entries: () => longEntries(path, { signal, encoding })(places) };
  const X = (dtype: FloatType) => ({
    format: 'csr' as const,
    dtype,
    valueCount: survey.entryCount,
    blocks: cellBlocks(file, 'features-by-cells', survey),
  });
  await writeFloatsH5ad(
    output,
    (floats) => ({ obs: tableOf(survey.cells), var: tableOf(survey.genes), X: X(floats) }),
    {
      ...(signal && { signal }),
      onProgress: ({ done }) => onProgress?.(0.5 + (0.5 * done) / Math.max(1, survey.entryCount)),
    },
  );
  return {
    notes: [
      `A table of ${countText(survey.entryCount)} counts of ${countText(survey.genes.length)} genes in ${countText(survey.cells.length)} cells, one in each line.`,
      ...(encoding === 'windows-1252' ? [`The table ${windowsText}`] : []),
    ],
  };
}

function tableOf(names: readonly string[]): Table {
  return { rowCount: names.length, indexName: '_index', index: packStrings(names), columns: new Map() };
}

function placesOf(names: readonly string[]): Map<string, number> {
  return new Map(names.map((name, place) => [name, place]));
}

interface Places {
  genes: Map<string, number>;
  cells: Map<string, number>;
}

type Batches = AsyncGenerator<{ count: number; rows: Int32Array; columns: Int32Array; values: Float64Array }>;

async function surveyed(path: string, read: (names: Places) => Batches): Promise<Survey> {
  const places: Places = { genes: new Map(), cells: new Map() };
  let entriesOfCell = new Uint32Array(1024);
  let [entryCount, greatestCount, last, inCellOrder] = [0, 0, 0, true];
  for await (const { count, columns, values } of read(places)) {
    if (places.cells.size > entriesOfCell.length) {
      const grown = new Uint32Array(2 * places.cells.size);
      grown.set(entriesOfCell);
      entriesOfCell = grown;
    }
    for (let at = 0; at < count; at++) {
      if (values[at] === 0) continue;
      const cell = columns[at]!;
      if (cell < last) inCellOrder = false;
      last = cell;
      entriesOfCell[cell]!++;
      entryCount++;
      greatestCount = Math.max(greatestCount, values[at]!);
    }
  }
  if (places.cells.size === 0)
    throw new TextFileError({ code: 'empty', path, problem: 'the table holds no counts.' });
  const [genes, cells] = [[...places.genes.keys()], [...places.cells.keys()]];
  return {
    genes,
    cells,
    geneCount: genes.length,
    cellCount: cells.length,
    entriesOfCell: entriesOfCell.subarray(0, cells.length),
    entryCount,
    inCellOrder,
    greatestCount,
  };
}

const batch = 65_536;

function longEntries(
  path: string,
  options: ReadTextOptions & { encoding: TextEncoding },
): (names: Places) => Batches {
  return async function* (names) {
    const rows = new Int32Array(batch);
    const columns = new Int32Array(batch);
    const values = new Float64Array(batch);
    const ends = new Int32Array(3);
    let fileColumns: LongColumns | undefined;
    let count = 0;
    for await (const { bytes, number } of textLines(path, options)) {
      if (fileColumns === undefined) {
        fileColumns = columnsIn(bytes)!;
        continue;
      }
      const refused = (problem: string) =>
        new TextFileError({ code: 'malformed', path, line: number, problem });
      if (fieldEnds(bytes, fileColumns.delimiter, ends) !== 3)
        throw refused('does not hold three fields: a gene, a cell and a count.');
      const start = (field: number) => (field === 0 ? 0 : ends[field - 1]! + 1);
      const place = (of: Map<string, number>, field: number): number => {
        const name = fieldText(bytes, start(field), ends[field]!);
        const existing = of.get(name);
        if (existing !== undefined) return existing;
        if (name === '' || name.length > maxNameLength)
          throw refused(
            `holds ${name === '' ? 'no name' : `a name of ${countText(name.length)} characters`} in column ${field + 1}.`,
          );
        of.set(name, of.size);
        return of.size - 1;
      };
      const value = fieldNumber(bytes, start(fileColumns.value), ends[fileColumns.value]!);
      if (value === undefined || !Number.isFinite(value))
        throw refused(
          `holds ${quotedHead(fieldText(bytes, start(fileColumns.value), ends[fileColumns.value]!))} in column ${fileColumns.value + 1}, where a finite number is expected.`,
        );
      rows[count] = place(names.genes, fileColumns.gene);
      columns[count] = place(names.cells, fileColumns.cell);
      values[count++] = value;
      if (count < batch) continue;
      yield { count, rows, columns, values };
      count = 0;
    }
    yield { count, rows, columns, values };
  };
}
