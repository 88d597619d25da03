export type { EnrichmentBackground, PathwayParameters } from './enrichment/parameters.ts';
export {
  enrichmentBackground,
  expressedDefaults,
  pathwayParameters,
  speciesName,
} from './enrichment/parameters.ts';
export { type Bins, defaultParts, type Grouping, grouping } from './markers/grouping.ts';
export type { MarkerParameters } from './markers/parameters.ts';
export { markerParameters } from './markers/parameters.ts';
export {
  geneRankingSource,
  type GeneRankingSource,
  maxRankingLines,
  type RankedEnrichmentParameters,
  rankedEnrichmentParameters,
  rankingStatistics,
} from './ranked-enrichment/parameters.ts';
export { type FilterRequest, filterRequest } from './masks/filter-request.ts';
export type { ComparisonParameters, SumMethod } from './comparisons/parameters.ts';
export { comparisonParameters, isOfSums } from './comparisons/parameters.ts';
export { endsParameters, type EndsParameters } from './ends/parameters.ts';
export type { CompositionParameters } from './pseudobulk/parameters.ts';
export { compositionParameters } from './pseudobulk/parameters.ts';
export type { LigandReceptorParameters } from './ligand-receptor/parameters.ts';
export { abridgedPairs, ligandReceptorParameters, maxOwnPairsLength } from './ligand-receptor/parameters.ts';
export type { GradientAxis, GradientParameters } from './gradient/parameters.ts';
export { gradientParameters, maxGradientGenes } from './gradient/parameters.ts';
export {
  beforeMinimumGenes,
  defaultMinimumGenes,
  minimumGenes,
  type ScoreChoice,
  scoreChoices,
} from './scores/score-choice.ts';
export type { ValueChoice } from './scores/value-choice.ts';
export {
  type CoExpressionParameters,
  coExpressionParameters,
  maxPairedGenes,
} from './co-expression/parameters.ts';
export type { TrajectoryParameters } from './trajectory/parameters.ts';
export { maxTrajectoryGenes, trajectoryParameters } from './trajectory/parameters.ts';
export type { CellTypeParameters } from './cell-types/parameters.ts';
export { type CellModelParameters, cellModelParameters } from './cell-types/model-parameters.ts';
export {
  abridgedMarkers,
  cellTypeParameters,
  maxOwnMarkersLength,
  unclear,
} from './cell-types/parameters.ts';
