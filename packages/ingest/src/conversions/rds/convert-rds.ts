import { stat } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { countText } from '@cellfolio/model';
import { fileHead } from '../../foreign-content.ts';
import { H5adError } from '../../h5ad-error.ts';
import type { NamedFile } from '../../matrix-market/convert-matrix-market.ts';
import { bomb, readChunks, type ReadTextOptions, TextFileError } from '../../matrix-market/read-text.ts';
import type { DenseBlock, MatrixContent, SparseBlock } from '../../write-h5ad/h5ad-content.ts';
import { H5adWriteFailed } from '../../write-h5ad/h5ad-content.ts';
import { writeH5ad } from '../../write-h5ad/write-h5ad.ts';
import type { Conversion, ConversionOptions, Converted } from '../conversion.ts';
import { type CellsOfR, cellsOfRObject, passedOver, type Refuse, type RMatrix } from './cells-of-r-object.ts';
import { NumberSpill } from './number-spill.ts';
import { RBytes } from './r-bytes.ts';
import { doubles, embeddingOfR, tableOfR } from './r-table.ts';
import { readRObject } from './read-r-object.ts';

/** Files of saveRDS() in R, packed by gzip or not. */
export const rds: Conversion = {
  title: 'an R object (.rds)',
  recognises: ({ file, head }) =>
    head.toString('latin1', 0, 4) === 'X\n\0\0' || /\.(?:rds|rdata)(?:\.gz)?$/i.test(file.name),
  convert: convertRds,
};

/** Values that one block of the matrix holds at most, unless a single cell has more. */
const blockValues = 4_194_304;
/** Zeros pack to a thousandth, and objects hold matrices of them. */
const maxRatio = 1000;

/**
 * Writes the counts as X (CSR, or dense), with the columns and coordinates of the cells. The file is read once; names are
 * held, and its larger vectors are on disk beside the output meanwhile, unpacked.
 */
async function convertRds(
  { path }: NamedFile,
  output: string,
  { signal, onProgress }: ConversionOptions,
): Promise<Converted> {
  const refuse: Refuse = (part, problem, hint) =>
    new H5adError({ code: 'unreadable', path, part, problem, hint });
  const spill = new NumberSpill(`${output}.vectors`);
  try {
    const onBytes = (read: number, all: number) => onProgress?.((0.5 * read) / all);
    refuseOtherLayouts(path, refuse);
    const root = await readRObject(
      new RBytes(path, objectBytes(path, { signal, onBytes, maxRatio })),
      spill,
      passedOver,
    );
    const cells = await cellsOfRObject(root, refuse);
    const { content, notes } = await contentOf(cells, refuse);
    const all = cells.matrix.form === 'sparse' ? cells.matrix.x.length : cells.matrix.values.length;
    await writeH5ad(output, content, {
      ...(signal && { signal }),
      onProgress: ({ done }) => onProgress?.(0.5 + (0.5 * done) / Math.max(1, all)),
    });
    return { notes };
  } catch (error) {
    // What is wrong with the object is not the fault of the writing.
    throw error instanceof H5adWriteFailed && error.cause instanceof H5adError ? error.cause : error;
  } finally {
    await spill.remove();
  }
}

/** The bytes of the object. Archives pack with gzip what R has packed, and it is unpacked twice then. */
async function* objectBytes(path: string, options: ReadTextOptions): AsyncGenerator<Buffer> {
  const chunks = readChunks(path, options);
  if (!packedAgain(fileHead(path)?.head)) return yield* chunks;
  const { size } = await stat(path);
  let unpacked = 0;
  const gunzip = pipeline(Readable.from(chunks), createGunzip({ chunkSize: 2 ** 20 }), () => undefined);
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      unpacked += chunk.length;
      if (unpacked > 2 ** 26 && unpacked > maxRatio * size) throw bomb(path, maxRatio);
      yield chunk;
    }
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code?.startsWith('Z_') !== true) throw cause;
    const problem = 'the gzip data inside of it ends early or is damaged.';
    throw new TextFileError({ code: 'truncated', path, problem, cause });
  }
}

function packedAgain(head: Buffer | undefined): boolean {
  return head?.[0] === 0x1f && head[1] === 0x8b;
}

/** What R saves in other ways than saveRDS() does unless it is told. */
function refuseOtherLayouts(path: string, refuse: Refuse): void {
  const head = fileHead(path)?.head;
  const start = head?.toString('latin1', 0, 6) ?? '';
  if (start.startsWith('X\n') || packedAgain(head)) return;
  const again = 'Save it again in R: saveRDS(x, "file.rds").';
  if (/^RD[XAB]\d/.test(start))
    throw refuse(
      '',
      'is a workspace of R.',
      `load() it in R and save its one object: saveRDS(x, "file.rds").`,
    );
  if (/^[AB]\n/.test(start)) throw refuse('', 'is an R object in a layout that is not read.', again);
  if (/^(?:BZh|\u00fd7zXZ)/.test(start))
    throw refuse(
      '',
      'is packed with bzip2 or xz.',
      'Save it again in R, where gzip is the default: saveRDS(x, "file.rds").',
    );
  throw refuse('', 'is no file of saveRDS().', again);
}

async function contentOf(cells: CellsOfR, refuse: Refuse) {
  const obs = await tableOfR(cells.cells, cells.cellColumns);
  const genes = await tableOfR(cells.genes, cells.geneColumns);
  const notes = [
    `${countText(cells.cells.length)} cells and ${countText(cells.genes.length)} genes of ${cells.title}.`,
    ...cells.notes,
  ];
  const obsm = [];
  const left = [...obs.left, ...genes.left];
  for (const [name, value] of cells.embeddings) {
    const embedding = await embeddingOfR(name.replaceAll('/', '_'), value, cells.cells.length);
    if (embedding === undefined) left.push(name);
    else obsm.push(embedding);
  }
  if (left.length > 0) notes.push(`Left, as they are not one value for each: ${left.join(', ')}.`);
  const X = matrixContent(cells.matrix, refuse);
  return { content: { obs: obs.table, var: genes.table, X, obsm }, notes };
}

function matrixContent(matrix: RMatrix, refuse: Refuse): MatrixContent {
  if (matrix.form === 'dense') return { format: 'dense', dtype: 'float32', blocks: denseBlocks(matrix) };
  const valueCount = matrix.x.length;
  return { format: 'csr', dtype: 'float32', valueCount, blocks: sparseBlocks(matrix, refuse) };
}

/** A column of R's matrix is a cell. */
async function* denseBlocks({
  values,
  geneCount,
  cellCount,
}: RMatrix & { form: 'dense' }): AsyncGenerator<DenseBlock> {
  const step = Math.max(1, Math.floor(blockValues / Math.max(1, geneCount)));
  for (let cell = 0; cell < cellCount; cell += step) {
    const count = Math.min(step, cellCount - cell);
    yield { values: Float32Array.from(await doubles(values, cell * geneCount, count * geneCount)) };
  }
}

async function* sparseBlocks(
  { p, i, x, geneCount, cellCount }: RMatrix & { form: 'sparse' },
  refuse: Refuse,
): AsyncGenerator<SparseBlock> {
  const broken = (cell: number) =>
    refuse('counts', `is damaged at cell ${cell + 1}.`, 'Save the object again in R with saveRDS().');
  const ends = await p.read(0, cellCount + 1);
  for (let cell = 0; cell < cellCount; cell++)
    if (ends[0] !== 0 || !(ends[cell + 1]! - ends[cell]! >= 0 && ends[cell + 1]! - ends[cell]! <= geneCount))
      throw broken(cell);
  if (ends[cellCount] !== x.length) throw broken(cellCount - 1);
  for (let from = 0; from < cellCount;) {
    let to = from + 1;
    while (to < cellCount && ends[to + 1]! - ends[from]! <= blockValues) to++;
    const start = ends[from]!;
    const count = ends[to]! - start;
    const indices = Int32Array.from(await i.read(start, count));
    const indptr = Float64Array.from(ends.subarray(from, to + 1), (end) => end - start);
    for (let cell = from; cell < to; cell++) {
      for (let at = indptr[cell - from]!, last = -1; at < indptr[cell - from + 1]!; at++) {
        if (indices[at]! <= last || indices[at]! >= geneCount) throw broken(cell);
        last = indices[at]!;
      }
    }
    yield { indptr, indices, values: Float32Array.from(await doubles(x, start, count)) };
    from = to;
  }
}
