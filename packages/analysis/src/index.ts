export { compileLibrary, type CompiledLibrary } from './enrichment/compile-library.ts';
export { GeneBackground } from './enrichment/gene-background.ts';
export { geneSetColumns, type GeneSet, type GeneSetColumns, geneSetsOf } from './enrichment/gene-set.ts';
export {
  bySignificance,
  overRepresentation,
  type EnrichmentResult,
} from './enrichment/over-representation.ts';
export { InvalidGmt, parseGmt, type ParsedGmt, readGmt, type ReadGmt } from './enrichment/parse-gmt.ts';
export {
  blockStatistics,
  statisticsBuffers,
  type BlockStatistics,
  type MarkerMethod,
} from './markers/block-statistics.ts';
export { cellGroups, mostGroups, TooManyGroups, type CellGroups } from './markers/cell-groups.ts';
export { groupMeans, type GroupMeans } from './markers/group-means.ts';
export { groupSeparation, type GroupSeparation } from './markers/group-separation.ts';
export { rankGenes, type GroupRanking, type MarkerRanking, type MarkerTest } from './markers/rank-genes.ts';
export { sampleChecks, type GroupSamples, type SampleChecks } from './markers/sample-checks.ts';
export { SampleSums, type ListedMarker } from './markers/sample-sums.ts';
export { passes, selectMarkers, type MarkerFilter } from './markers/select-markers.ts';
export { storedStatistics, type ColumnSums } from './markers/stored-statistics.ts';
export { NotEnoughGroups, testedGroups, type TestedGroup } from './markers/tested-groups.ts';
export { categoryMask } from './masks/category-mask.ts';
export {
  genePercentileMask,
  type PercentileMask,
  type PercentilesAmong,
} from './masks/gene-percentile-mask.ts';
export { intersectMasks } from './masks/intersect-masks.ts';
export { checkPercentiles, InvalidPercentiles, type PercentileRange } from './masks/percentile-range.ts';
export { presenceMask } from './masks/presence-mask.ts';
export { scorePercentileMask } from './masks/score-percentile-mask.ts';
export { geneHistogram, scoreHistogram, type ValueHistogram } from './masks/value-histogram.ts';
export { blockMeans, type BlockMeans } from './scores/block-means.ts';
export {
  NoControlGenes,
  NoExpressionMeans,
  planSignature,
  type SignatureInput,
  type SignaturePlan,
} from './scores/plan-signature.ts';
export { ScoreSum, signatureScores, type SummedGenes } from './scores/score-sum.ts';
export {
  countGeneIds,
  detectSpecies,
  knownSpecies,
  type Species,
  type SpeciesGuess,
} from './species/detect-species.ts';
export { InvalidOrthologues, type OrthologuePairs, parseOrthologues } from './species/parse-orthologues.ts';
export { benjaminiHochberg } from './statistics/benjamini-hochberg.ts';
