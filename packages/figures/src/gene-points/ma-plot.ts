import { foldChangeAxis, meanAxis } from './axes.ts';
import type { ComparedGenes } from '@cellfolio/analyses';
import { type ComparedGene, type GenePoint, pointsOf, within } from './compared-genes.ts';
import { withThresholds, maxNamedGenes, type maPlotContent } from './content.ts';
import { foldChangeLines, pointsDrawing } from './points-scene.ts';
import { pointsBase, type PointsInput } from './points-base.ts';
import type { PointsSpec } from './points-spec.ts';
import type { Figure } from '../drawing/figure.ts';
import { cleanLabel } from '../drawing/text/fit-text.ts';
import { plot } from '../plot.ts';

interface MaPlotSpec extends PointsSpec {
  kind: 'ma-plot';
  meanTitle: string;
  /** Minimum and maximum mean of the axis, and maximum absolute log2 fold change. */
  axes: { means: readonly [number, number]; foldChange: number };
  named: readonly (ComparedGene & { mean: number })[];
}

export const maPlotDrawing = pointsDrawing<MaPlotSpec>({
  axes: ({ axes, meanTitle, thresholds }) => ({
    x: { title: meanTitle, range: axes.means, lines: [] },
    y: {
      title: 'log₂ fold change',
      range: [-axes.foldChange, axes.foldChange],
      isSigned: true,
      lines: foldChangeLines(thresholds, axes.foldChange),
    },
  }),
  place: ({ mean, foldChange }) => [mean, foldChange],
  ends: ({ sides }) => [`below 0: higher in ${sides.b}`, `above 0: higher in ${sides.a}`],
});

/** Log2 fold changes against mean expression; genes without a mean are left out. Throws FigureInputError. */
export function maPlotFigure(
  input: PointsInput & Pick<ComparedGenes, 'means' | 'meanTitle'>,
): Figure<MaPlotSpec> {
  const { genes, named, spec } = pointsBase(
    input,
    (all) => all.filter(({ row }) => Number.isFinite(input.means[row]!)),
    maxNamedGenes,
  );
  const foldChange = foldChangeAxis(
    Float64Array.from(genes, ({ gene }) => gene.foldChange),
    input.thresholds.foldChange,
  );
  const means = meanAxis(Float64Array.from(genes, ({ row }) => input.means[row]!));
  const points = genes.map(({ row, gene }): GenePoint => [
    input.means[row]!,
    within(gene.foldChange, foldChange),
    gene.direction,
  ]);
  return {
    spec: {
      kind: 'ma-plot',
      ...spec(genes.filter(({ gene }) => Math.abs(gene.foldChange) > foldChange).length),
      meanTitle: cleanLabel(input.meanTitle),
      axes: { means, foldChange },
      points: pointsOf(points, means, [-foldChange, foldChange]),
      named: named.map(({ row, gene }) =>
        Object.assign({ mean: input.means[row]! }, gene, {
          foldChange: within(gene.foldChange, foldChange),
        }),
      ),
    },
    columns: {},
    drawing: maPlotDrawing,
  };
}

export const maPlot = plot<typeof maPlotContent>('ma-plot', ({ comparison }, { datasetName }, content) =>
  maPlotFigure({ ...withThresholds(comparison, content), datasetName, wanted: content.genes }),
);
