export type { CategoryUmapInput } from './category-umap/figure.ts';
export { categoryUmapFigure } from './category-umap/figure.ts';
export { categoryColours, cellTypePalette, colourOfCategory } from './drawing/colour/category-colours.ts';
export type { CellType } from './drawing/colour/cell-type-name.ts';
export { recognisedCellType } from './drawing/colour/cell-type-name.ts';
export { expressionRamp } from './drawing/colour/expression-ramp.ts';
export { scoreRamp } from './drawing/colour/score-ramp.ts';
export type { DotPlotInput } from './dot-plot/figure.ts';
export { dotPlotFigure } from './dot-plot/figure.ts';
export { meanRamp } from './dot-plot/mean-ramp.ts';
export type { EnrichmentBarInput, EnrichmentTerm } from './enrichment-bar/figure.ts';
export { enrichmentBarFigure } from './enrichment-bar/figure.ts';
export { FigureInputError } from './drawing/figure-error.ts';
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
} from './drawing/figure.ts';
export type { GeneUmapInput } from './gene-umap/figure.ts';
export { geneUmapFigure } from './gene-umap/figure.ts';
export type { GeneViolinInput } from './gene-violin/figure.ts';
export { geneViolinFigure } from './gene-violin/figure.ts';
export type { HighlightUmapInput } from './highlight-umap/figure.ts';
export { highlightUmapFigure } from './highlight-umap/figure.ts';
export type { RenderPngOptions, RenderedPng, Resolution } from './drawing/render-figure.ts';
export { chartPixels, FIGURE_RESOLUTIONS, renderPng, renderSvg } from './drawing/render-figure.ts';
export type { ScoreUmapInput } from './score-umap/figure.ts';
export { scoreUmapFigure } from './score-umap/figure.ts';
export type { ScoreViolinInput } from './score-violin/figure.ts';
export { scoreViolinFigure } from './score-violin/figure.ts';
export type { FigureTheme } from './drawing/theme/themed-ink.ts';
export type { FigureView } from './drawing/view/view-png.ts';
