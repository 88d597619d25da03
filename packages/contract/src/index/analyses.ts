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
  scanpyCellTest,
  abridgedMarkers,
  abridgedPairs,
  type CellModelParameters,
  type CellTypeParameters,
  type EnrichmentBackground,
  enrichmentBackground,
  expressedDefaults,
  type LigandReceptorParameters,
  type MarkerParameters,
  maxRankingLines,
  maxOwnMarkersLength,
  maxOwnPairsLength,
  type PathwayParameters,
  rankingStatistics,
  speciesName,
  unclear,
} from '@cellfolio/analysis/parameters';
export { type ComparisonDesign, comparisonDesign } from '../comparison-design.ts';
export { type AnalysisAnswer, analysisCall, type ComparisonAnswer } from '../analyses.ts';
export {
  type LigandReceptorAnswer,
  ligandReceptorAnswer,
  type LigandReceptorRequest,
  ligandReceptorRequest,
  type PairSet,
  pairSet,
  type PairSets,
  pairSets,
} from '../ligand-receptor.ts';
export {
  type CellTypeAnswer,
  cellTypeAnswer,
  type CellTypeRequest,
  cellTypeRequest,
  type GroupSuggestion,
  type MarkerSet,
  type MarkerSets,
  markerSets,
  type TypeEvidence,
  type UnclearReason,
} from '../cell-types.ts';
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
export {
  type MarkerAnalysisAnswer,
  markerAnalysisAnswer,
  type MarkerAnalysisRequest,
  markerAnalysisRequest,
} from '../markers.ts';
export {
  maxRankingBytes,
  type RankedEnrichmentAnswer,
  rankedEnrichmentAnswer,
  type RankedEnrichmentRequest,
  rankedEnrichmentRequest,
} from '../ranked-enrichment.ts';
