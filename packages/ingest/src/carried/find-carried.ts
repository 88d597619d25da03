import type { Embedding } from '@cellfolio/model';
import type { DatasetAdditions } from '../additions.ts';
import type { DatasetFile, EmbeddingLayout } from '../dataset-file.ts';
import type { Candidate } from '../expression/candidates.ts';
import type { ExpressionChoice } from '../expression/choose-expression.ts';
import type { Hdf5File } from '../hdf5/hdf5-file.ts';
import type { ProteinMatrix } from '../proteins/find-proteins.ts';
import type { CarriedPlan } from './plan-carried.ts';

interface ReadParts {
  matrices: readonly Candidate[];
  choice: ExpressionChoice;
  proteins: ProteinMatrix | undefined;
  /** Embeddings that the dataset holds. */
  embeddings: readonly Pick<EmbeddingLayout, 'name' | 'dimensions' | 'columns'>[];
  additions: DatasetAdditions;
  cellCount: number;
  /** Rows of the table of genes that was read. */
  geneCount: number;
  /** Default: none. */
  maxBytes?: number | undefined;
}

/** Coordinates with more dimensions than this are not an embedding to look at. */
export const maxDimensions = 100;

/** Plans once for all embeddings, and again where some of them are not written. */
export function carriedFinder(
  file: DatasetFile,
  parts: ReadParts,
): (without: ReadonlySet<string>) => CarriedPlan | undefined {
  const plan = findCarried(file, parts);
  return (without) => {
    if (without.size === 0) return plan;
    const embeddings = parts.embeddings.filter(({ name }) => !without.has(name));
    return findCarried(file, { ...parts, embeddings });
  };
}

/** Elements beside the parts that are read; undefined for a format whose other parts are left. */
function findCarried(file: DatasetFile, parts: ReadParts): CarriedPlan | undefined {
  const {
    matrices,
    choice,
    proteins,
    embeddings,
    additions,
    cellCount,
    geneCount,
    maxBytes = Infinity,
  } = parts;
  const { taken, counts } = choice;
  const computed = new Set((additions.obsm ?? []).map(({ name }: Embedding) => `obsm/${name}`));
  const held = new Set([taken.layout.path, taken.varPath, ...(counts ? [counts.layout.path] : [])]);
  for (const { name, dimensions, columns } of embeddings) {
    const path = `obsm/${name}`;
    if (columns || dimensions > maxDimensions || computed.has(path)) continue;
    if (isPlainTable(file.hdf5, path)) held.add(path);
  }
  if (proteins !== undefined && !proteins.amongFeatures) {
    for (const path of proteins.parts) held.add(path);
    if (proteins.scale !== undefined) held.add(proteins.part);
    else computed.add(proteins.part);
  }
  // Logarithms of another base are natural ones in the dataset.
  if (!['log1p', undefined].includes(file.recordedScale())) computed.add('uns/log1p');
  const summed = taken.layout.geneOf !== undefined;
  const ownGenes = matrices.find(({ varPath }) => varPath === 'var')?.genesPath;
  const isSame = taken.varPath === 'var' || (ownGenes === taken.genesPath && !taken.features);
  const otherGenes = summed || !isSame;
  return file.carried?.({
    held,
    displaced: computed,
    cellCount,
    geneCount,
    cells: additions.keptCells,
    genes: otherGenes ? undefined : taken.features?.geneRows,
    otherGenes,
    maxBytes,
  });
}

/** Whether an entry of `obsm` comes back as it is from the embedding that is read of it. */
function isPlainTable(file: Hdf5File, path: string): boolean {
  if (file.kind(path) !== 'dataset') return false;
  const { type, shape } = file.dataset(path);
  return shape.length === 2 && type.kind === 'number' && /^float(32|64)$/.test(type.dtype);
}
