import { drawnWith, maxNamedGenes } from '../drawing/gene-points/points-content.ts';
import { foldChangeAxis, surenessAxis } from '../drawing/gene-points/axes.ts';
import { type GenePoint, pointsOf, within } from '../drawing/gene-points/compared-genes.ts';
import { pointsBase, type PointsInput } from '../drawing/gene-points/points-base.ts';
import type { Figure } from '../drawing/figure.ts';
import { plot } from '../plot.ts';
import type { volcanoContent } from './content.ts';
import { volcanoDrawing, type VolcanoSpec } from './scene.ts';

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
  volcanoFigure({ ...drawnWith(comparison, content), datasetName, wanted: content.genes }),
);
