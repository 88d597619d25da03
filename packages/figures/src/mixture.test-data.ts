import type { CategoricalColumn, CellMask, Embedding, GeneColumn } from '@cellfolio/model';

/** Uniform numbers in [0, 1) from a seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Uniform numbers between 0 and 1 from a seed (linear congruential), for figures of tables. */
export function congruential(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
}

export function mixture(
  cells: number,
  categories: readonly string[],
): { embedding: Embedding; column: CategoricalColumn } {
  const uniform = seeded(cells + categories.length);
  const normal = (): number =>
    Math.sqrt(-2 * Math.log(uniform() + 1e-12)) * Math.cos(2 * Math.PI * uniform());
  const values = new Float32Array(2 * cells);
  const codes = new Int16Array(cells);
  for (let cell = 0; cell < cells; cell++) {
    const code = Math.floor(uniform() * categories.length);
    const across = normal();
    const along = normal() * 0.5 + 0.25 * across * across;
    const turn = code * 1.3;
    const [x, y] = [Math.cos(code * 2.4), Math.sin(code * 2.4)];
    const radius = 3.2 * Math.sqrt(code + 0.5);
    values[2 * cell] = x * radius + across * Math.cos(turn) - along * Math.sin(turn);
    values[2 * cell + 1] = y * radius + across * Math.sin(turn) + along * Math.cos(turn);
    codes[cell] = code;
  }
  return { embedding: { name: 'X_umap', dimensions: 2, values }, column: categorical(codes, categories) };
}

export function categorical(codes: Int16Array, categories: readonly string[]): CategoricalColumn {
  return { kind: 'categorical', codes, categories, categoryType: 'string', ordered: false };
}

export function markerOf(code: number, column: CategoricalColumn): GeneColumn {
  const uniform = seeded(code + 99);
  const cells: number[] = [];
  const values: number[] = [];
  column.codes.forEach((group, cell) => {
    const isHigh = group === code;
    if (uniform() > (isHigh ? 0.9 : 0.1)) return;
    cells.push(cell);
    values.push(isHigh ? 1.5 + 2 * uniform() : 0.2 + uniform());
  });
  return geneOf(column.codes.length, cells, values);
}

export function scoresOf(column: CategoricalColumn): Float64Array {
  const uniform = seeded(77);
  const scores = Float64Array.from(column.codes, (code) => {
    const level = Math.sin(code * 1.7) * 0.3 + 0.1;
    return level + 0.25 * (uniform() + uniform() + uniform() - 1.5);
  });
  scores.set([3.4, -2.2, NaN, NaN], 5);
  return scores;
}

export function geneOf(cellCount: number, cells: number[], values: number[]): GeneColumn {
  return { cellCount, cells: Int32Array.from(cells), values: Float32Array.from(values) };
}

export function maskOf(bits: Iterable<number>): CellMask {
  const bytes = Uint8Array.from(bits);
  return { bits: bytes, count: bytes.reduce((sum, bit) => sum + bit, 0) };
}

export const tenTypes = [
  'CD19+ B',
  'Endothelial cells',
  'Epithelial',
  'Fibroblasts',
  'Macrophage',
  'Mast cells',
  'CD14+ Monocyte',
  'CD56+ NK',
  'Plasma cells',
  'CD8+ Cytotoxic T',
];

export const hostileNames = [
  'A cell type whose name runs to eighty characters, as some ontologies have them do so',
  '<script>alert("x")</script> & co',
  'emoji 👩‍🔬 T',
  'תאי B עברית',
  'CD4+/CD45RA+/CD25- Naive T',
  'x'.repeat(80),
  '',
  'a\u0000\u001fb\u202Ec',
];
