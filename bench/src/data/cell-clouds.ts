import type { CategoricalColumn, Embedding } from '@cellfolio/model';
import { SeededBits } from './seeded-bits.ts';

/** Cells of ten types as clouds of unlike size and slant on a plane. */
export interface CellClouds {
  readonly cellType: CategoricalColumn;
  readonly cluster: CategoricalColumn;
  readonly embedding: Embedding;
}

const cellTypes = [
  'B cell',
  'Endothelial cell',
  'Epithelial cell',
  'Fibroblast',
  'Macrophage',
  'Mast cell',
  'Monocyte',
  'NK cell',
  'Plasma cell',
  'T cell',
];
/** Two clouds a type. */
const cloudCount = 2 * cellTypes.length;

export function cellClouds(cellCount: number, seed: number): CellClouds {
  const bits = new SeededBits(seed);
  const clouds = Array.from({ length: cloudCount }, () => {
    const angle = 2 * Math.PI * bits.uniform();
    return {
      x: 24 * bits.uniform() - 12,
      y: 24 * bits.uniform() - 12,
      length: 0.8 + bits.uniform(),
      width: 0.3 + 0.6 * bits.uniform(),
      cosine: Math.cos(angle),
      sine: Math.sin(angle),
    };
  });
  const cluster = new Int8Array(cellCount);
  const cellType = new Int8Array(cellCount);
  const values = new Float32Array(2 * cellCount);
  for (let cell = 0; cell < cellCount; cell++) {
    // Squared: the first clouds hold most cells, the last few.
    const code = Math.floor(bits.uniform() ** 2 * cloudCount);
    const { x, y, length, width, cosine, sine } = clouds[code]!;
    const along = length * bits.normal();
    const across = width * bits.normal();
    cluster[cell] = code;
    cellType[cell] = code >> 1;
    values[2 * cell] = x + along * cosine - across * sine;
    values[2 * cell + 1] = y + along * sine + across * cosine;
  }
  return {
    cellType: categorical(cellType, cellTypes),
    cluster: categorical(
      cluster,
      clouds.map((_, code) => String(code)),
    ),
    embedding: { name: 'X_umap', dimensions: 2, values },
  };
}

function categorical(codes: Int8Array, categories: readonly string[]): CategoricalColumn {
  return { kind: 'categorical', codes, categories, categoryType: 'string', ordered: false };
}
