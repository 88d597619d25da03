export { categoryUmapFigure } from './category-umap/figure.ts';
export { dotPlotFigure } from './dot-plot/figure.ts';
export { meanRamp } from './drawing/gene-matrix/scales.ts';
export {
  categoryColours,
  type CategoryPalette,
  columnPalette,
  freeColour,
  type CellType,
  cellTypePalette,
  recognisedCellType,
} from './drawing/colour/category-colours.ts';
export { expressionRamp, scoreRamp } from './drawing/colour/ramps.ts';
export { groupCells } from './drawing/group-cells.ts';
export { binsWords } from './grouping.ts';
export { FigureInputError } from './drawing/checked-input.ts';
export type { CommonSpec, Figure } from './drawing/figure.ts';
export {
  chartPixels,
  figureResolutions,
  type FigureView,
  renderPng,
  renderSvg,
  themedSpec,
} from './drawing/render-figure.ts';
export { enrichmentBarFigure } from './enrichment-bar/figure.ts';
export { geneByDatasetFigure } from './gene-by-dataset/figure.ts';
export type { GeneByDatasetInput } from './gene-by-dataset/input.ts';
export { geneByDatasetReading } from './gene-by-dataset/reading.ts';
export { geneUmapFigure } from './gene-umap/figure.ts';
export { geneViolinFigure } from './gene-violin/figure.ts';
export { geneLines } from './heatmap/gene-lines.ts';
export { highlightUmapFigure } from './highlight-umap/figure.ts';
export { scoreUmapFigure } from './score-umap/figure.ts';
export { scoreViolinFigure } from './score-violin/figure.ts';
export type { InputValues, PlotInput } from './plot.ts';
export { plotFigure } from './plots.ts';
export type { PseudobulkInput, SpreadMeasure } from './pseudobulk-input.ts';
export { rankedEnrichmentBarFigure } from './ranked-enrichment-bar/figure.ts';
export { runningScoreFigure } from './running-score/figure.ts';
export type { ScoreChoice } from './scores.ts';
export { maPlotFigure } from './ma-plot/figure.ts';
export { rankPlotFigure } from './rank-plot/figure.ts';
export { cellTypeHeatmapFigure } from './cell-type-heatmap/figure.ts';
export { ligandReceptorDotsFigure } from './ligand-receptor-dots/figure.ts';
export { ligandReceptorHeatmapFigure } from './ligand-receptor-heatmap/figure.ts';
export { pairUmapFigure } from './pair-umap/figure.ts';
export { rootText } from './trajectory-input.ts';
export { volcanoFigure } from './volcano/figure.ts';
