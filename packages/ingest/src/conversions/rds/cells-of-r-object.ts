import { cellsOfExperiment } from './cells-of-experiment.ts';
import { cellsOfSeurat } from './cells-of-seurat.ts';
import { matrixOf, withNames } from './named-matrix.ts';
import type { ProteinsOfR } from './proteins-of-r.ts';
import type { Refuse, RMatrix } from './r-matrix.ts';
import { classesOf, described, type RValue, slot } from './r-value.ts';

export interface CellsOfR {
  readonly title: string;
  readonly matrix: RMatrix;
  readonly cells: readonly string[];
  readonly genes: readonly string[];
  /** Data frames: named lists of columns. */
  readonly cellColumns: RValue | undefined;
  readonly geneColumns: RValue | undefined;
  /** A factor with the labels that `Idents()` returns. */
  readonly identities?: RValue | undefined;
  /** Coordinates: cells x dimensions, by their key in obsm. */
  readonly embeddings: ReadonlyMap<string, RValue>;
  readonly proteins?: ProteinsOfR | undefined;
  readonly notes: readonly string[];
}

/** Slots that can be skipped without losing cells. */
export const passedOver: ReadonlySet<string> = new Set([
  'scale.data',
  'graphs',
  'neighbors',
  'commands',
  'images',
  'jackstraw',
  'tools',
  'misc',
  'metadata',
  'int_metadata',
]);

export async function cellsOfRObject(root: RValue, refuse: Refuse): Promise<CellsOfR> {
  const classes = classesOf(root);
  if (classes.includes('Seurat')) return cellsOfSeurat(root, refuse);
  if (
    ['SingleCellExperiment', 'SummarizedExperiment', 'RangedSummarizedExperiment'].some((one) =>
      classes.includes(one),
    )
  )
    return cellsOfExperiment(root, classes[0]!, refuse);
  const dims = slot(root, 'dim') ?? slot(root, 'Dim');
  if (dims === undefined) {
    throw refuse(
      '',
      `holds ${described(root)}, which is none of the objects that are read.`,
      'Save a Seurat object, a SingleCellExperiment or a matrix of genes x cells with saveRDS().',
    );
  }
  const named = await matrixOf(root, '', refuse);
  return {
    ...withNames(named, [undefined, undefined], '', refuse),
    title: 'a matrix of R',
    cellColumns: undefined,
    geneColumns: undefined,
    embeddings: new Map(),
    notes: [],
  };
}
