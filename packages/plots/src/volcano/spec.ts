import type { PointsSpec } from '../drawing/gene-points/points-spec.ts';

/** Points are log2 fold changes and −log10 of adjusted p-values. */
export interface VolcanoSpec extends PointsSpec {
  readonly kind: 'volcano';
  /** Greatest log2 fold change of the axis, in either direction, and greatest −log10 of an adjusted p. */
  readonly axes: { readonly foldChange: number; readonly score: number };
}
