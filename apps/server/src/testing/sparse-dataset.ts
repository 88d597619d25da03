import { createRandom } from '@cellfolio/analysis';
import { categorical, writeTestDataset } from './write-test-dataset.ts';

export const sparse = { cells: 20_000, expressing: 1600, unlabelled: 312 } as const;

/**
 * Writes 20,000 cells, of which the first 312 have no cell type. `RARE` is expressed in 8 % of them, each with a
 * different value, and `NONE` in no cell. HYPOXIA has two genes in the case of mouse symbols, GLYCOLYSIS four, and
 * ADIPOGENESIS three in the case of human ones.
 */
export async function writeSparseDataset(root: string, id: string): Promise<void> {
  const random = createRandom('sparse');
  const states = ['Ca12', 'Slc2a1', 'Pfkfb1', 'Aldob', 'Pgam1', 'Pkm', 'PPARG', 'ADIPOQ', 'FABP4'];
  const background = Array.from({ length: 60 }, (_, gene) => `GENE${gene + 1}`);
  const genes = ['RARE', 'NONE', ...states, ...background].map((name) => {
    if (name === 'NONE') return { name, cells: new Int32Array(), values: new Float32Array() };
    const cells = name === 'RARE' ? rareCells() : someCells(0.3);
    const values = Float32Array.from(cells, (_, place) =>
      name === 'RARE' ? 0.5 + ((place * 7) % sparse.expressing) / 1000 : 0.5 + random.uniform(),
    );
    return { name, cells, values };
  });
  const positions = Float32Array.from({ length: sparse.cells * 2 }, () => random.normal());
  const typeOf = (cell: number) => (cell < sparse.unlabelled ? -1 : cell % 2);
  await writeTestDataset(root, id, {
    cellCount: sparse.cells,
    obs: new Map([['cell_type', categorical(['B cell', 'T cell'], sparse.cells, typeOf)]]),
    genes,
    embeddings: [{ name: 'X_umap', dimensions: 2, values: positions }],
    catalogue: { name: 'Sparse' },
    roles: { cellType: 'cell_type', embedding: 'X_umap', metadata: { Type: 'cell_type' } },
  });

  function someCells(share: number): Int32Array {
    return Int32Array.from({ length: sparse.cells }, (_, cell) => cell).filter(
      () => random.uniform() < share,
    );
  }
  function rareCells(): Int32Array {
    const chosen = new Set<number>();
    while (chosen.size < sparse.expressing) chosen.add(random.integer(sparse.cells));
    return Int32Array.from(chosen).sort();
  }
}
