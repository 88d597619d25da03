import type { ScatterSpec } from '../drawing/figure.ts';

/** Maps of one figure: more would be too small to be read. */
export const maxMaps = 12;

/** From this density on, of 0 to 1, a cell is where its group is dense. */
export const denseFrom = 0.5;

export interface DensityGroup {
  /** Place among the categories of the column. */
  readonly code: number;
  readonly label: string;
  /** Those that have coordinates. */
  readonly cells: number;
  /** Why there is no density. */
  readonly problem?: DensityProblem;
  /** Cells whose density is at least a half. */
  readonly dense: number;
  /** Coordinates of the densest cell; null where there is no density. */
  readonly peak: readonly [number, number] | null;
  /** The most frequent cell types, or clusters, of the dense cells. */
  readonly among: readonly { readonly label: string; readonly cells: number }[];
}

export interface EmbeddingDensitySpec extends ScatterSpec {
  readonly kind: 'embedding-density';
  readonly groupTitle: string;
  readonly groups: readonly DensityGroup[];
  /** How many have cells. */
  readonly groupCount: number;
  readonly colours: { readonly ramp: readonly string[]; readonly others: string; readonly outside: string };
}

/** Three points are as far apart as each other in widths of their own kernel, and so equally dense wherever they lie. */
export const fewestCells = 4;

export const densityProblems = ['few', 'singular', 'even', 'wide'] as const;
export type DensityProblem = (typeof densityProblems)[number];

/** What stands in place of a map. */
export function problemText(problem: DensityProblem): string {
  if (problem === 'few') return `Too few cells: a density needs at least ${fewestCells}.`;
  if (problem === 'singular') return 'The cells lie on a line, which has no density.';
  if (problem === 'even') return 'All cells are equally dense, so there is no scale.';
  return 'The cells lie too far apart for a density.';
}
