import { countText } from '@cellfolio/model';
import { categoryUmap } from './umap/category-umap.ts';
import { comparedDots, dotPlot, geneDotPlot, matrixPlot } from './gene-matrix/figure.ts';
import { fileFigure } from './drawing/file-figure.ts';
import type { CommonSpec, Figure } from './drawing/figure.ts';
import { groupCells } from './drawing/group-cells.ts';
import { cleanLabel } from './drawing/text/fit-text.ts';
import { embeddingDensity } from './embedding-density/figure.ts';
import { geneNetwork } from './co-expression/gene-network.ts';
import { geneUmap } from './umap/gene-umap.ts';
import { geneViolin } from './violin-and-ridge/gene-violin.ts';
import { heatmap } from './heatmap/figure.ts';
import { highlightUmap } from './umap/highlight-umap.ts';
import { maPlot } from './gene-points/ma-plot.ts';
import { cellTypeHeatmap } from './cell-type-heatmap/figure.ts';
import { ligandReceptorDots } from './ligand-receptor/dots.ts';
import { ligandReceptorHeatmap } from './ligand-receptor/heatmap.ts';
import { moduleHeatmap } from './co-expression/module-heatmap.ts';
import { obsUmap, scoreUmap } from './umap/score-umap.ts';
import { pairUmap } from './pair-umap/figure.ts';
import { splitMap } from './drawing/split-map.ts';
import { pseudotimeUmap, pseudotimeHeatmap, pseudotimeCurve } from './trajectory/figure.ts';
import { pagaGraph } from './trajectory/paga-graph.ts';
import { gradientUmap, gradientHeatmap, gradientCurve } from './gradient/figure.ts';
import type { CellNumbers, FigureSetting, InputValues, Plot } from './plot.ts';
import { sampleMap } from './sample-map/figure.ts';
import { design } from './design/figure.ts';
import { sampleHeatmap } from './sample-heatmap/figure.ts';
import { quality } from './quality/figure.ts';
import { rankPlot } from './gene-points/rank-plot.ts';
import { ridge, violin } from './violin-and-ridge/figure.ts';
import { runningScore } from './ranked-enrichment/running-score.ts';
import { scoreViolin } from './violin-and-ridge/score-violin.ts';
import { stackedViolin } from './gene-matrix/stacked-violin.ts';
import { volcano } from './gene-points/volcano.ts';
import { figureWords } from './all-words.ts';
import { kinds } from './kinds.ts';

export const plots: ReadonlyMap<string, Plot> = new Map(
  [
    categoryUmap,
    geneUmap,
    geneViolin,
    scoreUmap,
    scoreViolin,
    highlightUmap,
    obsUmap,
    dotPlot,
    violin,
    ridge,
    stackedViolin,
    geneDotPlot,
    matrixPlot,
    heatmap,
    embeddingDensity,
    quality,
    volcano,
    sampleMap,
    design,
    sampleHeatmap,
    runningScore,
    maPlot,
    rankPlot,
    comparedDots,
    ligandReceptorDots,
    ligandReceptorHeatmap,
    cellTypeHeatmap,
    pseudotimeUmap,
    pagaGraph,
    pseudotimeHeatmap,
    pseudotimeCurve,
    gradientUmap,
    gradientHeatmap,
    gradientCurve,
    moduleHeatmap,
    geneNetwork,
    pairUmap,
    ...kinds.map((kind) => kind.plot),
  ].map((plot) => [plot.kind, plot]),
);

/** Draws the figure of a content from its inputs, and from `shownSplit` if a map is split. Throws FigureInputError. */
export function plotFigure(
  content: { readonly kind: string },
  values: object,
  figureSetting: FigureSetting,
): Figure {
  const { subset: name, simulated, file, ...setting } = figureSetting;
  const { datasetName, subset } = namingSubset(name, {
    ...setting,
    datasetName: simulated === true ? `${setting.datasetName} (simulated)` : setting.datasetName,
  });
  const figure = plots.get(content.kind)!.figure(values, { ...setting, datasetName }, content);
  const { shownSplit } = values as { readonly shownSplit?: InputValues['obs'] };
  const finalFigure =
    shownSplit === undefined
      ? figure
      : splitMap(figure, groupCells(shownSplit, undefined, setting.mask), setting.mask);
  const spec = {
    ...finalFigure.spec,
    ...(subset !== undefined && { subset }),
    ...(simulated === true && { simulated }),
  };
  return fileFigure(withWords({ ...finalFigure, spec }), file);
}

/** Per-cell numbers that a result's map is coloured by, from the results among its inputs. */
export function cellNumbers(content: { readonly kind: string }, results: object): CellNumbers {
  const { numbers } = plots.get(content.kind)!;
  if (numbers === undefined) throw new TypeError(`A ${content.kind} has no number for each cell.`);
  const { values, words } = numbers(results);
  return { values: values.map((value) => (Number.isFinite(value) ? value : Number.NaN)), words };
}

/** A figure of a subset says so everywhere: after the dataset's name, and in its words. */
function namingSubset(
  name: string | undefined,
  { datasetName, mask }: FigureSetting,
): { datasetName: string; subset?: CommonSpec['subset'] } {
  if (name === undefined || mask === undefined) return { datasetName };
  const of = `${countText(mask.count)} of ${countText(mask.bits.length)} cells`;
  return {
    datasetName: `${datasetName} · ${name}: ${of}`,
    subset: { name: cleanLabel(name), cells: mask.count },
  };
}

function withWords(figure: Figure): Figure {
  const words = figureWords(figure.spec);
  return words === undefined ? figure : { ...figure, spec: { ...figure.spec, words } };
}
