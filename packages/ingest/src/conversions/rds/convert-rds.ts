import { countText, type Embedding } from '@cellfolio/model';
import { fileHead, isRWorkspace, rWorkspace } from '../../foreign-content.ts';
import { H5adError } from '../../h5ad-error.ts';
import type { NamedFile } from '../../matrix-market/convert-matrix-market.ts';
import { readChunks } from '../../matrix-market/read-text.ts';
import { encodingCaution } from '../../text-encoding.ts';
import { addIdentities } from '../../roles/seurat-identities.ts';
import { type H5adContent, H5adWriteFailed } from '../../write-h5ad/h5ad-content.ts';
import { type FloatType, writeFloatsH5ad } from '../../write-h5ad/write-h5ad.ts';
import type { Conversion, ConversionOptions, Converted } from '../conversion.ts';
import { type CellsOfR, cellsOfRObject, passedOver } from './cells-of-r-object.ts';
import { NumberSpill } from './number-spill.ts';
import { RBytes } from './r-bytes.ts';
import type { Refuse } from './r-matrix.ts';
import { matrixContent, proteinContent, valuesIn } from './r-matrix-blocks.ts';
import { columnOf, embeddingOfR, tableOfR } from './r-table.ts';
import { readRObject } from './read-r-object.ts';

/** Files written by saveRDS() in R, gzipped or not. */
export const rds: Conversion = {
  title: 'an R object (.rds)',
  recognises: ({ file, head }) =>
    head.toString('latin1', 0, 4) === 'X\n\0\0' || /\.(?:rds|rdata)(?:\.gz)?$/i.test(file.name),
  convert: convertRds,
};

/** Maximum compression ratio: zeros pack to a thousandth, and objects contain matrices of them. */
const maxRatio = 1000;

/**
 * Writes the counts as X (CSR, or dense), with the columns and coordinates of the cells. Reads the file once; names are
 * in memory, larger vectors meanwhile unpacked on disk beside the output.
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
    const { root, recoded } = await readRObject(
      // Archives pack with gzip what R has packed.
      new RBytes(path, readChunks(path, { signal, onBytes, maxRatio, twice: true })),
      spill,
      passedOver,
    );
    const cells = await cellsOfRObject(root, refuse);
    const { content, notes } = await contentOf(cells, refuse);
    const all = valuesIn(cells.matrix);
    await writeFloatsH5ad(output, content, {
      ...(signal && { signal }),
      onProgress: ({ part, done }) => part === 'X' && onProgress?.(0.5 + (0.5 * done) / Math.max(1, all)),
    });
    return { notes: [...notes, ...encodingCaution(recoded).map(({ message }) => message)] };
  } catch (error) {
    // What is wrong with the object is not the fault of the writing.
    throw error instanceof H5adWriteFailed && error.cause instanceof H5adError ? error.cause : error;
  } finally {
    await spill.remove();
  }
}

/** Refuses the serialisation formats that saveRDS() writes only on request. */
function refuseOtherLayouts(path: string, refuse: Refuse): void {
  const head = fileHead(path)?.head;
  const start = head?.toString('latin1', 0, 6) ?? '';
  if (start.startsWith('X\n') || start.startsWith('\u001f\u008b')) return;
  const again = 'Save it again in R: saveRDS(x, "file.rds").';
  if (head && isRWorkspace(head)) throw refuse('', `is ${rWorkspace.what}.`, rWorkspace.hint);
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
  addIdentities(
    obs.table.columns,
    cells.identities && (await columnOf(cells.identities, cells.cells.length)),
  );
  const genes = await tableOfR(cells.genes, cells.geneColumns);
  const notes = [
    `${countText(cells.cells.length)} cells and ${countText(cells.genes.length)} genes of ${cells.title}.`,
    ...cells.notes,
  ];
  const obsm: Embedding[] = [];
  const left = [...obs.left, ...genes.left];
  for (const [name, value] of cells.embeddings) {
    const embedding = await embeddingOfR(name.replaceAll('/', '_'), value, cells.cells.length);
    if (embedding === undefined) left.push(name);
    else obsm.push(embedding);
  }
  if (left.length > 0) notes.push(`Left, as they are not one value for each: ${left.join(', ')}.`);
  const content = (floats: FloatType): H5adContent => ({
    obs: obs.table,
    var: genes.table,
    X: matrixContent(cells.matrix, floats, refuse),
    obsm,
    ...(cells.proteins && {
      proteins: { names: cells.proteins.names, values: proteinContent(cells.proteins, floats, refuse) },
    }),
  });
  return { content, notes };
}
