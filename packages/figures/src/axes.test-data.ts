import type { GradientInput } from './gradient-input.ts';
import { mixture } from './mixture.test-data.ts';
import type { TrajectoryInput } from './trajectory-input.ts';

export const groups = ['stem', 'red', 'white', 'lone'];
export const { embedding, column } = mixture(400, groups);
export const along = (gene: string, rho: number, means: number[]) => ({
  gene,
  rho,
  means,
  errors: means.map(() => 0.1),
});

export function trajectory(overrides: Partial<TrajectoryInput> = {}): TrajectoryInput {
  const connectivities = new Float64Array(16);
  const join = (i: number, j: number, weight: number) => {
    connectivities[4 * i + j] = weight;
    connectivities[4 * j + i] = weight;
  };
  join(0, 1, 0.8);
  join(0, 2, 0.6);
  join(1, 2, 0.2);
  join(2, 3, 0.01);
  return {
    pseudotime: Float64Array.from({ length: 400 }, (_, cell) => (cell === 7 ? NaN : cell / 399)),
    root: { barcode: 'cell-0', group: 'stem' },
    cells: { analysed: 399, reached: 399 },
    groupTitle: 'Cell type',
    groups,
    graph: {
      sizes: Int32Array.of(100, 100, 100, 99),
      connectivities,
      tree: [
        [0, 1],
        [0, 2],
      ],
    },
    bins: { sizes: [100, 100, 100, 99], places: [0.1, 0.4, 0.6, 0.9] },
    heatmap: [
      along('LATE', 0.9, [0, 0, 1, 3]),
      along('EARLY', -0.9, [4, 2, 1, 0]),
      along('MIDDLE', 0.2, [0, 2, 0, 0]),
    ],
    curves: [along('LATE', 0.9, [0, 0, 1, 3])],
    unit: 'log-normalized expression',
    cautions: [],
    ...overrides,
  };
}

export const gradient = (overrides: Partial<GradientInput> = {}): GradientInput => ({
  axis: 'the expression of LGR5',
  unit: 'log-normalized expression',
  values: Float64Array.from({ length: 400 }, (_, cell) => (cell === 7 ? NaN : cell / 100)),
  cells: 399,
  bins: { sizes: [240, 80, 79], places: [0, 1.8, 3.4] },
  heatmap: [along('TURNS', 0.05, [0, 2, 0]), along('RISES', 0.7, [0, 1, 3]), along('FALLS', -0.7, [3, 1, 0])],
  curves: [along('RISES', 0.7, [0, 1, 3])],
  expression: 'log-normalized expression',
  cautions: [{ code: 'few-cells', message: '399 cells are few.' }],
  ...overrides,
});
