import { drawnWith, maxNamedGenes } from '../drawing/gene-points/points-content.ts';
import { foldChangeAxis, type GenePoint, pointsOf, within } from '../drawing/gene-points/compared-genes.ts';
import { pointsBase, type PointsInput } from '../drawing/gene-points/points-base.ts';
import type { Figure } from '../drawing/figure.ts';
import { plot } from '../plot.ts';
import type { volcanoContent } from './content.ts';
import { volcanoDrawing } from './scene.ts';
import type { VolcanoSpec } from './spec.ts';

/** Log2 fold changes against −log10 of the adjusted p. Throws FigureInputError. */
export function volcanoFigure(input: PointsInput): Figure<VolcanoSpec> {
  const { genes, named, spec } = pointsBase(input, (all) => all, maxNamedGenes);
  const foldChange = foldChangeAxis(genes, input.thresholds);
  const cut = -Math.log10(Math.max(input.thresholds.adjustedP, Number.MIN_VALUE));
  const highest = genes.reduce((high, { gene }) => Math.max(high, gene.score), Math.max(1, 1.2 * cut));
  const axes = { foldChange, score: 1.06 * highest };
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
