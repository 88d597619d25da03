export type { CategoryUmapInput } from './category-umap-figure.ts';
export { categoryUmapFigure } from './category-umap-figure.ts';
export { categoryColours, cellTypePalette, colourOfCategory } from './colour/category-colours.ts';
export type { CellType } from './colour/cell-type-name.ts';
export { recognisedCellType } from './colour/cell-type-name.ts';
export { expressionRamp } from './colour/expression-ramp.ts';
export { scoreRamp } from './colour/score-ramp.ts';
export type { DotPlotInput } from './dot-plot/dot-plot-figure.ts';
export { dotPlotFigure } from './dot-plot/dot-plot-figure.ts';
export { meanRamp } from './dot-plot/mean-ramp.ts';
export type { EnrichmentBarInput, EnrichmentTerm } from './enrichment-bar/enrichment-bar-figure.ts';
export { enrichmentBarFigure } from './enrichment-bar/enrichment-bar-figure.ts';
export { FigureInputError } from './figure-error.ts';
export type {
  CategoryUmapFigure,
  CategoryUmapSpec,
  CellCounts,
  CommonSpec,
  DotPlotFigure,
  DotPlotSpec,
  EnrichmentBarFigure,
  EnrichmentBarSpec,
  EnrichmentBarTerm,
  ExpressionDomain,
  Figure,
  FigureSpec,
  GeneUmapFigure,
  GeneUmapSpec,
  GeneViolinFigure,
  GeneViolinSpec,
  HighlightUmapFigure,
  HighlightUmapSpec,
  LegendGroup,
  ScatterSpec,
  ScoreDomain,
  ScoreUmapFigure,
  ScoreUmapSpec,
  ScoreViolinFigure,
  ScoreViolinSpec,
  ViolinGroup,
} from './figure.ts';
export type { GeneUmapInput } from './gene-umap-figure.ts';
export { geneUmapFigure } from './gene-umap-figure.ts';
export type { GeneViolinInput } from './gene-violin-figure.ts';
export { geneViolinFigure } from './gene-violin-figure.ts';
export type { HighlightUmapInput } from './highlight-umap-figure.ts';
export { highlightUmapFigure } from './highlight-umap-figure.ts';
export type { RenderPngOptions, RenderedPng, Resolution } from './render-figure.ts';
export { chartPixels, FIGURE_RESOLUTIONS, renderPng, renderSvg } from './render-figure.ts';
export type { ScoreUmapInput } from './score-umap-figure.ts';
export { scoreUmapFigure } from './score-umap-figure.ts';
export type { ScoreViolinInput } from './score-violin-figure.ts';
export { scoreViolinFigure } from './score-violin-figure.ts';
export type { FigureTheme } from './theme/themed-ink.ts';
export type { FigureView } from './view/view-png.ts';
