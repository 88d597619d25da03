export { categoryUmapFigure } from './umap/category-umap.ts';
export { dotPlotFigure } from './gene-matrix/figure.ts';
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
export { FigureInputError } from './drawing/checked-input.ts';
export type { CommonSpec, Figure } from './drawing/figure.ts';
export type { TitleBlock } from './drawing/file-figure.ts';
export {
  chartPixels,
  type FigureView,
  fileSizes,
  renderPdf,
  renderPng,
  renderSvg,
  themedSpec,
} from './drawing/render-figure.ts';
export { geneByDatasetFigure } from './gene-by-dataset/figure.ts';
export { type GeneByDatasetInput, geneByDatasetReading } from './gene-by-dataset/reading.ts';
export { geneUmapFigure } from './umap/gene-umap.ts';
export { geneViolinFigure } from './violin-and-ridge/gene-violin.ts';
export { geneLines } from './heatmap/gene-lines.ts';
export { highlightUmapFigure } from './umap/highlight-umap.ts';
export { scoreUmapFigure } from './umap/score-umap.ts';
export { scoreViolinFigure } from './violin-and-ridge/score-violin.ts';
export type { CellNumbers, InputValues, PlotInput } from './plot.ts';
export { cellNumbers, plotFigure } from './all-plots.ts';
export type { PseudobulkInput, SpreadMeasure } from './pseudobulk-input.ts';
export { runningScoreFigure } from './ranked-enrichment/running-score.ts';
export type { ScoreChoice } from './scores.ts';
export { maPlotFigure } from './gene-points/ma-plot.ts';
export { rankPlotFigure } from './gene-points/rank-plot.ts';
export { cellTypeHeatmapFigure } from './cell-type-heatmap/figure.ts';
export { ligandReceptorDotsFigure } from './ligand-receptor/dots.ts';
export { ligandReceptorHeatmapFigure } from './ligand-receptor/heatmap.ts';
export { pairUmapFigure } from './pair-umap/figure.ts';
export { volcanoFigure } from './gene-points/volcano.ts';
