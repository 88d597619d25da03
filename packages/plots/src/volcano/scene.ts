import { foldChangeLines, pointsDrawing } from '../drawing/gene-points/points-scene.ts';
import type { VolcanoSpec } from './spec.ts';

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
