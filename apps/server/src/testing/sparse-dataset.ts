import { packStrings } from '@cellfolio/model';
import { createDatasetWriter } from '@cellfolio/store';
import { createRandom } from '../features/demo/random.ts';

export const sparse = { cells: 20_000, expressing: 1600, unlabelled: 312 } as const;
const backgroundGenes = 60;

/**
 * Writes 20,000 cells, of which the first 312 have no cell type. `RARE` is expressed in 8 % of them, each with a value of
 * its own, and `NONE` in no cell. Of HYPOXIA there are two genes in the case of mouse symbols, of GLYCOLYSIS four, and
 * of ADIPOGENESIS three in the case of human ones.
 */
export async function writeSparseDataset(root: string, id: string): Promise<void> {
  const random = createRandom('sparse');
  const states = ['Ca12', 'Slc2a1', 'Pfkfb1', 'Aldob', 'Pgam1', 'Pkm', 'PPARG', 'ADIPOQ', 'FABP4'];
  const background = Array.from({ length: backgroundGenes }, (_, gene) => `GENE${gene + 1}`);
  const genes = ['RARE', 'NONE', ...states, ...background];
  const columns = genes.map((gene) => {
    if (gene === 'NONE') return { cells: new Int32Array(), values: new Float32Array() };
    const cells = gene === 'RARE' ? rareCells() : someCells(0.3);
    const values = Float32Array.from(cells, (_, place) =>
      gene === 'RARE' ? 0.5 + ((place * 7) % sparse.expressing) / 1000 : 0.5 + random.uniform(),
    );
    return { cells, values };
  });

  const writer = await createDatasetWriter(root, id);
  const everyCell = Array.from({ length: sparse.cells }, (_, cell) => cell);
  await writer.obs({
    rowCount: sparse.cells,
    indexName: '_index',
    index: packStrings(everyCell.map((cell) => `cell-${cell}`)),
    columns: new Map([
      [
        'cell_type',
        {
          kind: 'categorical',
          codes: Int8Array.from(everyCell, (cell) => (cell < sparse.unlabelled ? -1 : cell % 2)),
          categories: ['B cell', 'T cell'],
          categoryType: 'string',
          ordered: false,
        },
      ],
    ]),
  });
  await writer.var({
    rowCount: genes.length,
    indexName: '_index',
    index: packStrings(genes),
    columns: new Map(),
  });
  const positions = Float32Array.from({ length: sparse.cells * 2 }, () => random.normal());
  await writer.obsm({ name: 'X_umap', dimensions: 2, values: positions });
  const indptr = new Float64Array(genes.length + 1);
  columns.forEach(({ cells }, gene) => (indptr[gene + 1] = indptr[gene]! + cells.length));
  const matrix = await writer.matrix('X', {
    cellCount: sparse.cells,
    geneCount: genes.length,
    indptr,
    valueType: 'float32',
  });
  for (const { cells, values } of columns) await matrix.write(cells, values);
  await matrix.close();
  await writer.publish({
    catalogue: {
      name: 'Sparse',
      disease: 'Breast Cancer',
      subdisease: 'Triple-negative',
      category1: 'Primary',
      category2: 'Untreated',
      description: 'For filters by percentile.',
      simulated: false,
    },
    roles: { cellType: 'cell_type', embedding: 'X_umap', metadata: { Type: 'cell_type' } },
    expression: { path: 'X', state: 'log-normalised', hasCounts: false },
    warnings: [],
  });

  function someCells(share: number): Int32Array {
    return Int32Array.from({ length: sparse.cells }, (_, cell) => cell).filter(
      () => random.uniform() < share,
    );
  }
  /** Exactly as many as wanted, spread at random. */
  function rareCells(): Int32Array {
    const chosen = new Set<number>();
    while (chosen.size < sparse.expressing) chosen.add(random.integer(sparse.cells));
    return Int32Array.from(chosen).sort();
  }
}
