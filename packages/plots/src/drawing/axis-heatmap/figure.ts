import { countText } from '@cellfolio/model';
import type { AlongAxisInput } from '../../along-axis-input.ts';
import type { Figure } from '../figure.ts';
import { darkMeanRamp, meanRamp } from '../gene-matrix/scales.ts';
import { withMinimumSize } from '../minimum-size.ts';
import { figureWidth } from '../scene/style.ts';
import { cleanLabel } from '../text/fit-text.ts';
import { fitText } from '../text/number-text.ts';
import { axisHeatmapScene, minRow, roomOfRows, defaultRow } from './scene.ts';
import type { AxisHeatmapSpec, HeatmapGene } from './spec.ts';

/** Each gene from its minimum to its maximum mean, ordered by the place of the maximum. */
export function axisHeatmapFigure(
  kind: AxisHeatmapSpec['kind'],
  input: AlongAxisInput & {
    readonly chosen: string;
  },
): Figure<AxisHeatmapSpec> {
  const { bins, cautions } = input;
  const sizes = Array.from(bins.sizes);
  const places = Array.from(bins.places);
  const genes = input.genes
    .map(({ gene, rho, means }): HeatmapGene & { bin: number } => {
      const values = Array.from(means);
      const [low, high] = [Math.min(...values), Math.max(...values)];
      const bin = values.indexOf(high);
      const scaled = values.map((mean) =>
        high > low ? Number(((mean - low) / (high - low)).toFixed(4)) : 0,
      );
      return { gene: cleanLabel(gene), rho, bin, peak: places[bin]!, range: [low, high], scaled };
    })
    .toSorted((one, other) => one.bin - other.bin || other.rho - one.rho)
    .map(({ gene, rho, peak, range, scaled }) => ({ gene, rho, peak, range, scaled }));
  const subtitle = cleanLabel(input.subtitle);
  const spec: AxisHeatmapSpec = {
    version: 1,
    kind,
    title: cleanLabel(input.title),
    subtitle,
    datasetName: cleanLabel(input.datasetName),
    axis: cleanLabel(input.axis),
    cells: input.cells,
    summary: `${countText(input.cells)} cells in ${countText(places.length)} bins · ${countText(genes.length)} genes ${input.chosen}, by their peaks`,
    size: {
      width: figureWidth,
      height: roomOfRows.around({ subtitle }) + Math.max(3, genes.length) * defaultRow,
    },
    genes,
    places,
    cellsOfBin: [Math.min(...sizes), Math.max(...sizes)],
    ramp: meanRamp,
    ...(cautions.length > 0 && { cautions }),
  };
  return { spec, columns: {}, drawing: axisHeatmapDrawing };
}

export const axisHeatmapDrawing = withMinimumSize<AxisHeatmapSpec>(
  {
    scene: axisHeatmapScene,
    fit: (spec, size) => {
      const room = size.height - roomOfRows.around({ ...spec, fitted: { leftOut: '' } });
      const keptCount = Math.min(spec.genes.length, Math.floor(room / minRow));
      // Kept rows stay in their order.
      const weakest = spec.genes.map(({ rho }) => Math.abs(rho)).toSorted((one, other) => other - one)[
        keptCount - 1
      ];
      const genes = spec.genes.filter(({ rho }) => Math.abs(rho) >= (weakest ?? 0)).slice(0, keptCount);
      const leftOut = fitText(genes.length, spec.genes.length, 'genes');
      return { spec: { ...spec, size, genes, fitted: { leftOut } }, isWhole: leftOut === '' };
    },
    dark: () => ({ ramp: darkMeanRamp }),
  },
  { size: { width: 260, height: 180 }, sentence: ({ summary }) => `Enlarge to see the genes. ${summary}.` },
);
