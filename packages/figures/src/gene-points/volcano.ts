import { foldChangeLines, pointsDrawing } from './points-scene.ts';
import type { PointsSpec } from './points-spec.ts';
import { withThresholds, maxNamedGenes, type volcanoContent } from './content.ts';
import { foldChangeAxis, surenessAxis } from './axes.ts';
import { type GenePoint, pointsOf, within } from './compared-genes.ts';
import { pointsBase, type PointsInput } from './points-base.ts';
import type { Figure } from '../drawing/figure.ts';
import { plot } from '../plot.ts';

interface VolcanoSpec extends PointsSpec {
  kind: 'volcano';
  /** Maximum absolute log2 fold change of the axis, and maximum −log10 of an adjusted p. */
  axes: { foldChange: number; score: number };
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

/** Log2 fold changes against −log10 of the adjusted p. Throws FigureInputError. */
export function volcanoFigure(input: PointsInput): Figure<VolcanoSpec> {
  const { genes, named, spec } = pointsBase(input, (all) => all, maxNamedGenes);
  const foldChange = foldChangeAxis(
    Float64Array.from(genes, ({ gene }) => gene.foldChange),
    input.thresholds.foldChange,
  );
  const scores = Float64Array.from(genes, ({ gene }) => gene.score);
  const axes = { foldChange, score: surenessAxis(scores, input.thresholds.adjustedP) };
  const points = pointsOf(
    genes.map(({ gene }): GenePoint => [within(gene.foldChange, foldChange), gene.score, gene.direction]),
    [-foldChange, foldChange],
    [0, axes.score],
  );
  return {
    spec: {
      kind: 'volcano',
      ...spec(genes.filter(({ gene }) => Math.abs(gene.foldChange) > foldChange).length),
      axes,
      points,
      named: named.map(({ gene }) =>
        Object.assign({}, gene, { foldChange: within(gene.foldChange, foldChange) }),
      ),
    },
    columns: {},
    drawing: volcanoDrawing,
  };
}

export const volcano = plot<typeof volcanoContent>('volcano', ({ comparison }, { datasetName }, content) =>
  volcanoFigure({ ...withThresholds(comparison, content), datasetName, wanted: content.genes }),
);
