import { countText, type CellMask, type Embedding, plural } from '@cellfolio/model';
import { embeddingTitle, pointsDown } from '@cellfolio/model/names';
import type { MapShown } from '../shown.ts';
import { FigureInputError, checkMask } from './checked-input.ts';
import type { ScatterSpec } from './figure.ts';

type ScatterFrame = Pick<
  ScatterSpec,
  'embedding' | 'axes' | 'extent' | 'window' | 'yDown' | 'pointRadius' | 'counts'
>;

/** Checks that embedding and mask describe `cellCount` cells, and measures the extent of the cells. */
export function scatterFrame(
  embedding: Embedding,
  cellCount: number,
  { mask, shown = {} }: { mask?: CellMask; shown?: MapShown },
): ScatterFrame {
  const { values, dimensions } = embedding;
  if (dimensions < 2) {
    throw new FigureInputError(
      'embedding',
      `The embedding ${embeddingTitle(embedding.name)} has ${dimensions} dimension; a figure needs two`,
    );
  }
  if (values.length !== cellCount * dimensions) {
    throw new FigureInputError(
      'embedding',
      `${embedding.name} holds ${values.length / dimensions} cells, the column ${cellCount}`,
    );
  }
  checkMask(cellCount, mask);
  const { window, axes = [0, 1] } = shown;
  const { extent, withoutPosition } = measured(embedding, mask);
  const cells = mask?.count ?? cellCount;
  const inWindow = window && cellsInside(embedding, window, mask);
  return {
    // No call takes a longer one.
    embedding: embedding.name.slice(0, 500),
    axes: axisNames(embedding.name, axes),
    extent: window ?? extent,
    ...(window && { window }),
    ...(pointsDown(embedding.name, axes[1]) && { yDown: true }),
    pointRadius: pointRadius(inWindow ?? cells),
    counts: {
      datasetCells: cellCount,
      cells,
      withoutPosition,
      ...(inWindow !== undefined && { inWindow }),
    },
  };
}

export function frameText({ counts: { withoutPosition, inWindow } }: Pick<ScatterFrame, 'counts'>): string[] {
  return [
    ...(withoutPosition > 0 ? [`${countText(withoutPosition)} without coordinates`] : []),
    ...(inWindow === undefined ? [] : [`part of the map with ${plural(inWindow, 'cell')}`]),
  ];
}

function measured(
  { values, dimensions }: Embedding,
  mask: CellMask | undefined,
): { extent: ScatterSpec['extent']; withoutPosition: number } {
  const bits = mask?.bits;
  let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity];
  let withoutPosition = 0;
  for (let cell = 0, at = 0; at < values.length; cell++, at += dimensions) {
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
  const empty = left > right;
  return {
    extent: { x: empty ? [0, 1] : [left, right], y: empty ? [0, 1] : [bottom, top] },
    withoutPosition,
  };
}

function cellsInside(
  { values, dimensions }: Embedding,
  { x: [left, right], y: [bottom, top] }: ScatterSpec['extent'],
  mask: CellMask | undefined,
): number {
  const bits = mask?.bits;
  let count = 0;
  for (let cell = 0, at = 0; at < values.length; cell++, at += dimensions) {
    const x = values[at]!;
    const y = values[at + 1]!;
    if (x < left || x > right || y < bottom || y > top || x - x + (y - y) !== 0) continue;
    if (bits === undefined || bits[cell] === 1) count++;
  }
  return count;
}

/** 2.6 px for 700 cells, 0.9 px for 100,000: about the same share of the panel is inked for any number. */
function pointRadius(cells: number): number {
  const radius = 11 * Math.max(1, cells) ** -0.22;
  return Number(Math.min(4, Math.max(0.5, radius)).toFixed(3));
}

/** Few chosen cells among many are drawn up to two and a half times as large, so that a rare type is visible. */
export function highlightRadius(radius: number, cells: number, chosen: number): number {
  const growth = Math.min(2.5, (Math.max(1, cells) / Math.max(1, chosen)) ** 0.15);
  return Number((radius * growth).toFixed(3));
}

const embeddingNames: ReadonlyMap<string, string> = new Map([
  ['umap', 'UMAP'],
  ['umap_unintegrated', 'UMAP'],
  ['tsne', 't-SNE'],
  ['pca', 'PC'],
]);

/** `X_umap` gives UMAP1 and UMAP2, `X_tsne` t-SNE1 and t-SNE2, axes 2 and 3 of `X_pca` PC3 and PC4. */
function axisNames(key: string, [x, y]: readonly [number, number]): [string, string] {
  const plain = key.replace(/^X_/i, '');
  const name = embeddingNames.get(plain.toLowerCase()) ?? (plain.length > 10 ? 'Axis ' : plain.toUpperCase());
  return [`${name}${x + 1}`, `${name}${y + 1}`];
}
