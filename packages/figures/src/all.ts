import {
  categoryUmapContent,
  geneUmapContent,
  highlightUmapContent,
  obsUmapContent,
  scoreUmapContent,
} from './umap/content.ts';
import { cellTypeHeatmapContent } from './cell-type-heatmap/content.ts';
import { compositionBar } from './composition-bar/declare.ts';
import { compositionDots } from './composition-dots/declare.ts';
import {
  comparedDotsContent,
  geneDotPlotContent,
  matrixPlotContent,
  stackedViolinContent,
} from './gene-matrix/content.ts';
import { dotPlotContent } from './gene-matrix/marker-dots-content.ts';
import { embeddingDensityContent } from './embedding-density/content.ts';
import { endComposition } from './end-composition/declare.ts';
import { endDistribution } from './end-distribution/declare.ts';
import { enrichmentBar } from './enrichment-bar/declare.ts';
import { geneNetworkContent, moduleHeatmapContent } from './co-expression/content.ts';
import { geneScatter } from './gene-scatter/declare.ts';
import {
  geneViolinContent,
  ridgeContent,
  scoreViolinContent,
  violinContent,
} from './violin-and-ridge/content.ts';
import { heatmapContent } from './heatmap/content.ts';
import { maPlotContent, rankPlotContent, volcanoContent } from './gene-points/content.ts';
import { ligandReceptorDotsContent, ligandReceptorHeatmapContent } from './ligand-receptor/content.ts';
import { pairUmapContent } from './pair-umap/content.ts';
import {
  pseudotimeUmapContent,
  pagaGraphContent,
  pseudotimeHeatmapContent,
  pseudotimeCurveContent,
} from './trajectory/content.ts';
import { gradientUmapContent, gradientHeatmapContent, gradientCurveContent } from './gradient/content.ts';
import { sampleMapContent, designContent, sampleHeatmapContent } from './pseudobulk-content.ts';
import { qualityContent } from './quality/content.ts';
import { perturbationControls } from './perturbation-controls/declare.ts';
import { perturbationEffects } from './perturbation-effects/declare.ts';
import { perturbationMatrix } from './perturbation-matrix/declare.ts';
import { rankedEnrichmentBar } from './ranked-enrichment-bar/declare.ts';
import { runningScoreContent } from './ranked-enrichment/content.ts';
import { meanVariance } from './mean-variance/declare.ts';
import { pValueHistogram } from './p-value-histogram/declare.ts';
import { sampleDots } from './sample-dots/declare.ts';

/** All figures; a browser may load these. The drawing and words of a folder are found by its kind. */
export const declarations = [
  categoryUmapContent,
  geneUmapContent,
  geneViolinContent,
  scoreUmapContent,
  scoreViolinContent,
  highlightUmapContent,
  obsUmapContent,
  dotPlotContent,
  enrichmentBar,
  violinContent,
  ridgeContent,
  stackedViolinContent,
  geneDotPlotContent,
  matrixPlotContent,
  heatmapContent,
  compositionBar,
  qualityContent,
  geneScatter,
  embeddingDensityContent,
  volcanoContent,
  sampleMapContent,
  meanVariance,
  pValueHistogram,
  designContent,
  sampleDots,
  sampleHeatmapContent,
  endDistribution,
  endComposition,
  compositionDots,
  rankedEnrichmentBar,
  perturbationEffects,
  perturbationMatrix,
  perturbationControls,
  runningScoreContent,
  maPlotContent,
  rankPlotContent,
  comparedDotsContent,
  ligandReceptorDotsContent,
  ligandReceptorHeatmapContent,
  cellTypeHeatmapContent,
  pseudotimeUmapContent,
  pagaGraphContent,
  pseudotimeHeatmapContent,
  pseudotimeCurveContent,
  gradientUmapContent,
  gradientHeatmapContent,
  gradientCurveContent,
  moduleHeatmapContent,
  geneNetworkContent,
  pairUmapContent,
] as const;
