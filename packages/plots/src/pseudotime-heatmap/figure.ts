import { countText } from '@cellfolio/model';
import type { Figure } from '../drawing/figure.ts';
import { darkMeanRamp, meanRamp } from '../drawing/gene-matrix/scales.ts';
import { withLeastSize } from '../drawing/least-size.ts';
import { figureWidth } from '../drawing/scene/style.ts';
import { fitText } from '../drawing/text/number-text.ts';
import { cleanLabel } from '../drawing/text/fit-text.ts';
import { type FigureSetting, type InputValues, plot } from '../plot.ts';
import { rootText } from '../trajectory-input.ts';
import type { pseudotimeHeatmapContent } from './content.ts';
import type { HeatmapGene, PseudotimeHeatmapSpec } from './spec.ts';
import { leastRow, pseudotimeHeatmapScene, roomOfRows, usualRow } from './scene.ts';

/** Each gene from its least to its greatest mean, ordered by the place of the greatest. */
export function pseudotimeHeatmapFigure({
  datasetName,
  trajectory,
}: Pick<FigureSetting, 'datasetName'> & {
  trajectory: InputValues['trajectory'];
}): Figure<PseudotimeHeatmapSpec> {
  const { bins, heatmap, cells } = trajectory;
  const sizes = Array.from(bins.sizes);
  const times = Array.from(bins.times);
  const genes = heatmap
    .map(({ gene, rho, means }): HeatmapGene & { bin: number } => {
      const values = Array.from(means);
      const [low, high] = [Math.min(...values), Math.max(...values)];
      const bin = values.indexOf(high);
      const scaled = values.map((mean) =>
        high > low ? Number(((mean - low) / (high - low)).toFixed(4)) : 0,
      );
      return { gene: cleanLabel(gene), rho, bin, peak: times[bin]!, range: [low, high], scaled };
    })
    .toSorted((one, other) => one.bin - other.bin || other.rho - one.rho)
    .map(({ gene, rho, peak, range, scaled }) => ({ gene, rho, peak, range, scaled }));
  const subtitle = cleanLabel(rootText(trajectory.root));
  const spec: PseudotimeHeatmapSpec = {
    version: 1,
    kind: 'pseudotime-heatmap',
    title: 'Genes along pseudotime',
    subtitle,
    datasetName: cleanLabel(datasetName),
    summary: `${countText(cells.reached)} cells in ${countText(times.length)} bins · ${countText(genes.length)} genes most correlated, by their peaks`,
    size: {
      width: figureWidth,
      height: roomOfRows.around({ subtitle }) + Math.max(3, genes.length) * usualRow,
    },
    genes,
    times,
    cellsOfBin: [Math.min(...sizes), Math.max(...sizes)],
    ramp: meanRamp,
    ...(trajectory.cautions.length > 0 && { cautions: trajectory.cautions }),
  };
  return { spec, columns: {}, drawing: pseudotimeHeatmapDrawing };
}

export const pseudotimeHeatmapDrawing = withLeastSize<PseudotimeHeatmapSpec>(
  {
    scene: pseudotimeHeatmapScene,
    fit: (spec, size) => {
      const room = size.height - roomOfRows.around({ fitted: { leftOut: '' } });
      const kept = Math.min(spec.genes.length, Math.floor(room / leastRow));
      // Those that are kept stay in their order.
      const weakest = spec.genes.map(({ rho }) => Math.abs(rho)).toSorted((one, other) => other - one)[
        kept - 1
      ];
      const genes = spec.genes.filter(({ rho }) => Math.abs(rho) >= (weakest ?? 0)).slice(0, kept);
      const leftOut = fitText(genes.length, spec.genes.length, 'genes');
      return { spec: { ...spec, size, genes, fitted: { leftOut } }, isWhole: leftOut === '' };
    },
    dark: () => ({ ramp: darkMeanRamp }),
  },
  { size: { width: 260, height: 180 }, sentence: ({ summary }) => `Enlarge to see the genes. ${summary}.` },
);

export const pseudotimeHeatmap = plot<typeof pseudotimeHeatmapContent>(
  'pseudotime-heatmap',
  ({ trajectory }, { datasetName }) => pseudotimeHeatmapFigure({ datasetName, trajectory }),
);
