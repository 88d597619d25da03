export {
  type EnrichmentBackground,
  type PathwayParameters,
  enrichmentBackground,
  expressedDefaults,
  pathwayParameters,
  speciesName,
} from './enrichment/parameters.ts';
export { type Bins, binsWords, defaultParts, type Grouping, grouping } from './markers/grouping.ts';
export {
  cellTestWords,
  figureCellTest,
  foldChangeWords,
  scanpyCellTest,
  usualCellTest,
} from './markers/cell-test-parameters.ts';
export { type MarkerParameters, markerParameters } from './markers/parameters.ts';
export { maxGroups, maxMarkerGroups } from './markers/test-limits.ts';
export {
  figureRankingSource,
  comparisonRanking,
  minProbability,
  ownRanking,
  rankingSource,
  maxRankingLines,
  rankedEnrichmentParameters,
  rankingStatistics,
} from './ranked-enrichment/parameters.ts';
export { type FilterRequest, filterRequest, keptCells } from './masks/filter-request.ts';
export {
  type ComparisonParameters,
  type SumMethod,
  comparisonParameters,
  isOfSums,
  maxSetNameLength,
} from './comparisons/parameters.ts';
export { endsParameters, type EndsParameters } from './deciles/parameters.ts';
export {
  beforeMinimumGenes,
  defaultMinimumGenes,
  minimumGenes,
  type ScoreChoice,
  scoreChoices,
  type ValueChoice,
  valueChoices,
} from './scores/score-choice.ts';
export { type CellModelParameters, cellModelParameters, unclear } from './cell-types/model-parameters.ts';
