import type { CommonSpec } from '../drawing/figure.ts';

export interface ModuleHeatmapSpec extends CommonSpec {
  readonly kind: 'module-heatmap';
  readonly version: 1;
  readonly subtitle: string;
  /** Rows and columns, from the top and from the left. */
  readonly genes: readonly string[];
  /** In the order of the rows; the genes of none follow them. */
  readonly modules: readonly ModuleRows[];
  /** Scores beyond it have the colours of both ends. */
  readonly limit: number;
  readonly ramp: readonly string[];
}

export interface ModuleRows {
  readonly label: string;
  readonly size: number;
  /** The first genes of the highest mean local correlation within it. */
  readonly hubs: readonly string[];
  readonly colour: string;
}
