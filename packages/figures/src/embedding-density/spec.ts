import type { ScatterSpec } from '../drawing/figure.ts';

export const maxMaps = 12;

/** Density, from 0 to 1, from which a cell counts as dense in its group. */
export const denseFrom = 0.5;

export interface DensityGroup {
  code: number;
  label: string;
  cells: number;
  problem?: DensityProblem;
  /** Cells with a density of at least a half. */
  dense: number;
  /** Coordinates of the densest cell; null without a density. */
  peak: readonly [number, number] | null;
  among: readonly { label: string; cells: number }[];
}

export interface EmbeddingDensitySpec extends ScatterSpec {
  kind: 'embedding-density';
  groupTitle: string;
  groups: readonly DensityGroup[];
  groupCount: number;
  colours: { ramp: readonly string[]; others: string; outside: string };
}

/** Three points are equally far apart in units of their own kernel, and so equally dense wherever they are. */
export const fewestCells = 4;

export const densityProblems = ['few', 'singular', 'even', 'wide'] as const;
export type DensityProblem = (typeof densityProblems)[number];

export function problemText(problem: DensityProblem): string {
  if (problem === 'few') return `Too few cells: a density needs at least ${fewestCells}.`;
  if (problem === 'singular') return 'The cells lie on a line, which has no density.';
  if (problem === 'even') return 'All cells are equally dense, so there is no scale.';
  return 'The cells lie too far apart for a density.';
}
