import type { CellMask, Embedding } from '@cellfolio/model';
import { FigureInputError, checkMask } from './checked-input.ts';
import type { CellCounts, ScatterSpec } from './figure.ts';

/** The parts of a scatter's spec that come from the embedding and the mask alone. */
type ScatterFrame = Pick<ScatterSpec, 'embedding' | 'axes' | 'extent' | 'pointRadius' | 'counts'>;

/** Checks that embedding and mask describe `cellCount` cells, and measures where the cells lie. */
export function scatterFrame(embedding: Embedding, cellCount: number, mask?: CellMask): ScatterFrame {
  const { values, dimensions } = embedding;
  if (dimensions < 2) {
    throw new FigureInputError(
      'embedding',
      `${embedding.name} has ${dimensions} dimension; a figure needs two`,
    );
  }
  if (values.length !== cellCount * dimensions) {
    throw new FigureInputError(
      'embedding',
      `${embedding.name} holds ${values.length / dimensions} cells, the column ${cellCount}`,
    );
  }
  checkMask(cellCount, mask);
  const bits = mask?.bits;
  let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity];
  let withoutPosition = 0;
  for (let cell = 0, at = 0; cell < cellCount; cell++, at += dimensions) {
    const x = values[at]!;
    const y = values[at + 1]!;
    // One test for NaN and both infinities: their difference from themselves is NaN.
    if (x - x + (y - y) !== 0) {
      if (bits === undefined || bits[cell] === 1) withoutPosition++;
      continue;
    }
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < bottom) bottom = y;
    if (y > top) top = y;
  }
  const cells = mask?.count ?? cellCount;
  const counts: CellCounts = { datasetCells: cellCount, cells, withoutPosition };
  const empty = left > right;
  return {
    embedding: embedding.name,
    axes: axisNames(embedding.name),
    extent: { x: empty ? [0, 1] : [left, right], y: empty ? [0, 1] : [bottom, top] },
    pointRadius: pointRadius(cells),
    counts,
  };
}

/** 2.6 px for 700 cells, 0.9 px for 100,000: about the same part of the panel is inked for any number. */
function pointRadius(cells: number): number {
  const radius = 11 * Math.max(1, cells) ** -0.22;
  return Number(Math.min(4, Math.max(0.5, radius)).toFixed(3));
}

const embeddingNames: ReadonlyMap<string, string> = new Map([
  ['umap', 'UMAP'],
  ['tsne', 't-SNE'],
  ['pca', 'PC'],
]);

/** `X_umap` gives UMAP1 and UMAP2, `X_tsne` t-SNE1 and t-SNE2, `X_pca` PC1 and PC2. */
function axisNames(key: string): [string, string] {
  const plain = key.replace(/^X_/i, '');
  const name = embeddingNames.get(plain.toLowerCase()) ?? (plain.length > 10 ? 'Axis ' : plain.toUpperCase());
  return [`${name}1`, `${name}2`];
}
