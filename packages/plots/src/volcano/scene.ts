import { foldChangeLines, pointsDrawing } from '../drawing/gene-points/points-scene.ts';
import type { PointsSpec } from '../drawing/gene-points/points-spec.ts';

/** Points are log2 fold changes and −log10 of adjusted p-values. */
export interface VolcanoSpec extends PointsSpec {
  readonly kind: 'volcano';
  /** Greatest log2 fold change of the axis, in either direction, and greatest −log10 of an adjusted p. */
  readonly axes: { readonly foldChange: number; readonly score: number };
}

export const volcanoDrawing = pointsDrawing<VolcanoSpec>({
  axes: ({ axes, thresholds }) => ({
    x: {
      title: 'log₂ fold change',
      range: [-axes.foldChange, axes.foldChange],
      isSigned: true,
      lines: foldChangeLines(thresholds, axes.foldChange),
    },
    y: {
      title: '−log₁₀ adjusted p',
      range: [0, axes.score],
      lines: thresholds.adjustedP > 0 && thresholds.adjustedP < 1 ? [-Math.log10(thresholds.adjustedP)] : [],
    },
  }),
  place: ({ foldChange, score }) => [foldChange, score],
  ends: ({ sides }) => [`higher in ${sides.b}`, `higher in ${sides.a}`],
});
