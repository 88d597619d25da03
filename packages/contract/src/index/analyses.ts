// Calls of analyses, what they are asked by, and the lists that they take.

export { geneSetAttribution, type GeneSetOrigin, plainLibraryName } from '@cellfolio/analyses';
export {
  cellStateNames,
  type GeneSetLibraries,
  geneSetLibraries,
  type PulledGeneSetLibraries,
  pulledGeneSetLibraries,
} from '../gene-sets.ts';
export {
  cellTestWords,
  foldChangeWords,
  isOfSums,
  maxGroups,
  maxMarkerGroups,
  scanpyCellTest,
  usualCellTest,
  type CellModelParameters,
  type EnrichmentBackground,
  enrichmentBackground,
  expressedDefaults,
  type MarkerParameters,
  maxRankingLines,
  type PathwayParameters,
  rankingStatistics,
  speciesName,
  unclear,
  maxSetNameLength,
} from '@cellfolio/analysis/parameters';
export { type ComparisonDesign, comparisonDesign } from '../comparison-design.ts';
export { type AnalysisAnswer, analysisCall, type ComparisonAnswer } from '../analyses.ts';
export { maxOwnMarkersLength, maxOwnPairsLength } from '@cellfolio/analyses';
export { type MarkerSets, markerSets, type PairSets, pairSets } from '../reference-lists.ts';
export {
  type CellModel,
  type CellModelAnswer,
  cellModelAnswer,
  type CellModelRequest,
  cellModelRequest,
  cellModels,
  type ModelReason,
  type ModelSuggestion,
  type ModelVote,
} from '../cell-models.ts';
export { analysisPrompts, defaultAnalysisPrompt } from '../analysis-prompts.ts';
