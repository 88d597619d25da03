import { geneUmapFigure, geneViolinFigure, renderPng } from '@cellfolio/plots';
import type { CategoricalColumn, Embedding, GeneColumn } from '@cellfolio/model';

const cellCount = 20_000;
const rounds = 12;

/**
 * Draws a few figures of made-up cells, so that the first user of a thread does not wait for fonts and
 * the compiler: a first violin takes half a second, a warm one a tenth of that.
 */
export async function warmUp(): Promise<void> {
  const { embedding, gene, groups } = spiral();
  const names = { symbol: 'WARM', datasetName: 'Warm-up' };
  await renderPng(geneViolinFigure({ gene, groups, groupTitle: 'Group', ...names }));
  for (let round = 0; round < rounds; round++) {
    await renderPng(geneUmapFigure({ embedding, gene, ...names, symbol: `WARM${round}` }));
  }
}

/** Cells on a spiral, every third of them expressing. */
function spiral(): { embedding: Embedding; gene: GeneColumn; groups: CategoricalColumn } {
  const values = Float32Array.from({ length: 2 * cellCount }, (_, i) => {
    const turn = (i >> 1) / 1000;
    return turn * (i % 2 ? Math.sin(turn) : Math.cos(turn));
  });
  const cells = Int32Array.from({ length: Math.floor(cellCount / 3) }, (_, i) => 3 * i);
  return {
    embedding: { name: 'X_umap', dimensions: 2, values },
    gene: { cellCount, cells, values: Float32Array.from(cells, (cell) => 0.5 + (cell % 7) / 2) },
    groups: {
      kind: 'categorical',
      codes: Int8Array.from({ length: cellCount }, (_, cell) => cell % 4),
      categories: ['A', 'B', 'C', 'D'],
      categoryType: 'string',
      ordered: false,
    },
  };
}
