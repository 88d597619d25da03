import { statisticAxis } from './axes.ts';
import type { ComparedGenes } from '@cellfolio/analyses';
import { type ComparedGene, type GenePoint, pointsOf } from './compared-genes.ts';
import { withThresholds, maxNamedGenes, type rankPlotContent } from './content.ts';
import { pointsDrawing } from './points-scene.ts';
import { pointsBase, type PointsInput } from './points-base.ts';
import { scoreScale } from './score-scale.ts';
import type { PointsSpec } from './points-spec.ts';
import type { Figure } from '../drawing/figure.ts';
import { plot } from '../plot.ts';

/** Points are ranks, from 1 for the maximum statistic, and test statistics. */
interface RankPlotSpec extends PointsSpec {
  kind: 'rank-plot';
  /**
   * Number of ranks, minimum and maximum statistic of the axis, and the statistic at the threshold of the adjusted p.
   */
  axes: {
    ranks: number;
    statistics: readonly [number, number];
    threshold: number;
  };
  named: readonly (ComparedGene & { rank: number; statistic: number })[];
}

export const rankPlotDrawing = pointsDrawing<RankPlotSpec>({
  axes: ({ axes }) => ({
    x: { title: 'rank of the gene', range: [0, axes.ranks + 1], lines: [] },
    y: {
      title: 'score of the test',
      range: axes.statistics,
      lines: [axes.threshold, -axes.threshold].filter(
        (line) => line !== 0 && line > axes.statistics[0] && line < axes.statistics[1],
      ),
    },
  }),
  place: ({ rank, statistic }) => [rank, statistic],
  ends: ({ sides }) => [`higher in ${sides.a}`, `higher in ${sides.b}`],
});

/** Genes by descending statistic; ties in input order. Throws FigureInputError. */
export function rankPlotFigure(input: PointsInput & Pick<ComparedGenes, 'scores'>): Figure<RankPlotSpec> {
  const statisticOf = ({ row }: { readonly row: number }): number => input.scores[row]!;
  const { genes, named, spec } = pointsBase(
    input,
    (all) =>
      all
        .filter((gene) => Number.isFinite(statisticOf(gene)))
        .toSorted((one, other) => statisticOf(other) - statisticOf(one) || one.row - other.row)
        .map((gene, place) => Object.assign(gene, { rank: place + 1 })),
    maxNamedGenes,
  );
  const statistics = statisticAxis(Float64Array.from(genes, statisticOf));
  const scale = scoreScale(
    Float64Array.from(genes, statisticOf),
    Float64Array.from(genes, ({ gene }) => gene.adjustedP),
  );
  const axes = { ranks: genes.length, statistics, threshold: scale.scoreAt(input.thresholds.adjustedP) };
  const points = genes.map((one): GenePoint => [one.rank, statisticOf(one), one.gene.direction]);
  return {
    spec: {
      kind: 'rank-plot',
      ...spec(0),
      axes,
      points: pointsOf(points, [0, axes.ranks + 1], statistics),
      named: named.map((one) => Object.assign({ rank: one.rank, statistic: statisticOf(one) }, one.gene)),
    },
    columns: {},
    drawing: rankPlotDrawing,
  };
}

export const rankPlot = plot<typeof rankPlotContent>(
  'rank-plot',
  ({ comparison }, { datasetName }, content) =>
    rankPlotFigure({ ...withThresholds(comparison, content), datasetName, wanted: content.genes }),
);
