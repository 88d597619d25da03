import type { GradientInput } from './gradient-input.ts';
import { along } from './trajectory.test-data.ts';

/** Cells along a gene, which one gene follows and one turns from. */
export const gradient = (given: Partial<GradientInput> = {}): GradientInput => ({
  axis: 'the expression of LGR5',
  unit: 'log-normalised expression',
  values: Float64Array.from({ length: 400 }, (_, cell) => (cell === 7 ? NaN : cell / 100)),
  cells: 399,
  bins: { sizes: [240, 80, 79], places: [0, 1.8, 3.4] },
  heatmap: [along('TURNS', 0.05, [0, 2, 0]), along('RISES', 0.7, [0, 1, 3]), along('FALLS', -0.7, [3, 1, 0])],
  curves: [along('RISES', 0.7, [0, 1, 3])],
  expression: 'log-normalised expression',
  cautions: [{ code: 'few-cells', message: '399 cells are few.' }],
  ...given,
});
