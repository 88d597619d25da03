export { type AxisOrder, axisOrder, correlationOfRanks } from './axis/axis-order.ts';
export { type BinnedMeans, binnedMeans } from './axis/binned-means.ts';
export { correlationP, type GenesAlong, genesAlongAxis } from './axis/genes-along-axis.ts';
export { centreOfGroup, type Line, placesOnLine, spreadOfPlaces } from './axis/places-on-line.ts';
export { conflictingType } from './cell-types/conflicting-type.ts';
export { type ProfileSet, univariateLinearModels } from './cell-types/gene-set-scores.ts';
export { type GroupProfiles, groupProfiles } from './cell-types/group-profiles.ts';
export {
  type LogisticModel,
  LogisticModelError,
  logisticModelFormat,
  readLogisticModel,
} from './cell-types/logistic-model.ts';
export {
  addGene,
  type ClassifiedCells,
  type ClassifiedGroups,
  type GroupVotes,
  logisticStart,
  type LogisticSums,
  logisticVotes,
  scaledZero,
} from './cell-types/logistic-scores.ts';
export { type CellTypeMarkers, InvalidMarkers, parseMarkers } from './cell-types/marker-list.ts';
export { type PairedCells, PairedCellCounter, type TypePair } from './cell-types/paired-cells.ts';
export { type ResolvedMarkers, type ResolvedType, resolveMarkers } from './cell-types/resolve-markers.ts';
export {
  type GroupEvidence,
  groupEvidence,
  profileSets,
  type SuggestionRule,
  type UnclearReason,
} from './cell-types/suggest-types.ts';
export {
  type ComparedCells,
  comparedCells,
  type ComparedPart,
  groupsOfPart,
  sidesOfPart,
  partsBetween,
  sharedCells,
} from './comparisons/compared-cells.ts';
export { compareSides, type SideComparison } from './comparisons/compare-sides.ts';
export {
  compositionLimit,
  hasOtherComposition,
  isByComposition,
  sideComposition,
  type SideComposition,
} from './comparisons/side-composition.ts';
export {
  type Autocorrelations,
  type AutocorrelationSetting,
  localAutocorrelations,
  shuffledCells,
} from './co-expression/autocorrelation.ts';
export { addToTotals } from './co-expression/gene-entries.ts';
export { EntriesReader } from './co-expression/gene-entries.ts';
export { type CellDepth, cellDepth, type GeneModel, standardised } from './co-expression/gene-model.ts';
export { geneModules } from './co-expression/gene-modules.ts';
export {
  correlationScores,
  type LocalSums,
  localSums,
  type StandardisedGenes,
} from './co-expression/local-correlations.ts';
export { localGraph, type LocalGraph } from './co-expression/local-graph.ts';
export { ambientGenes } from './comparisons/ambient-genes.ts';
export { partStatistics } from './comparisons/part-statistics.ts';
export { type DepthSets, keptShares, setDepths, type SetDepths, writeKept } from './depth/cell-depths.ts';
export { thinnedValues, type Thinning, thinningSeed } from './depth/thinned-values.ts';
export { type EndCounts, endHistogram, type EndHistogram } from './deciles/end-histogram.ts';
export { highSide, lowSide, type SampleEnds, type ValueEnds, valueEnds } from './deciles/value-ends.ts';
export {
  type CompiledLibrary,
  compileLibrary,
  type GeneSet,
  geneSetColumns,
  type GeneSetColumns,
  geneSetsOf,
} from './enrichment/gene-sets.ts';
export { InvalidList } from './delimited/read-delimited.ts';
export { GeneBackground } from './enrichment/gene-background.ts';
export {
  bySignificance,
  overRepresentation,
  type EnrichmentResult,
} from './enrichment/over-representation.ts';
export { InvalidGmt, parseGmt, readGmt } from './enrichment/parse-gmt.ts';
export {
  type CorrelationsWithin,
  correlationsWithin,
  maxAxisSamples,
  type SampleRanks,
  sampleRanks,
} from './gradient/correlations-within.ts';
export { type SplineBasis, splineBasis } from './gradient/spline-basis.ts';
export {
  curveTests,
  leastSquaresP,
  minCurveCells,
  type SplineTests,
  splineTests,
} from './gradient/spline-tests.ts';
export {
  type GroupExpression,
  groupExpression,
  type GroupLabels,
} from './ligand-receptor/group-expression.ts';
export {
  type InteractionPair,
  InvalidPairs,
  maxPairs,
  parsePairs,
} from './ligand-receptor/interaction-pairs.ts';
export { type InteractionRanks, rankInteractions } from './ligand-receptor/interaction-ranks.ts';
export {
  findInteractions,
  type Interactions,
  type InteractionScores,
  scoreInteractions,
  TooManyInteractions,
} from './ligand-receptor/interactions.ts';
export { EntryCollector, type NeededEntries, TooManyValues } from './ligand-receptor/needed-entries.ts';
export { countAsHigh, type PermutedInteractions } from './ligand-receptor/permuted-means.ts';
export { type ResolvedPair, type ResolvedPairs, resolvePairs } from './ligand-receptor/resolve-pairs.ts';
export {
  blockStatistics,
  type BlockStatistics,
  type ColumnSums,
  type MarkerMethod,
  statisticsBytes,
  statisticsIn,
  type StatisticsShape,
  storedStatistics,
} from './markers/block-statistics.ts';
export { cellGroups, TooManyGroups, type CellGroups } from './markers/cell-groups.ts';
export { groupMeans, groupRanges } from './markers/group-sums.ts';
export { groupSeparation, type GroupSeparation } from './markers/group-separation.ts';
export {
  type GroupRanking,
  type MarkerFilter,
  markerTest,
  type MarkerTest,
  passes,
  rankGenes,
  selectMarkers,
} from './markers/rank-genes.ts';
export {
  checkedPart,
  type CheckedPart,
  type ListedMarker,
  sampleChecks,
  type SampleChecks,
  sampleSizes,
  SampleSums,
} from './markers/sample-checks.ts';
export { splitGroups } from './markers/split-groups.ts';
export {
  canCompare,
  leftOutWarnings,
  NotEnoughGroups,
  othersOf,
  testedGroups,
  type TestedGroup,
  untestedGroups,
} from './markers/tested-groups.ts';
export { categoryMask, intersectMasks, presenceMask } from './masks/masks.ts';
export { genePercentileMask, type PercentilesAmong, scorePercentileMask } from './masks/percentile-masks.ts';
export { checkPercentiles, InvalidPercentiles, type PercentileRange } from './masks/percentiles.ts';
export { combinationCounts, setCombinations, setComposition } from './masks/set-overlap.ts';
export { geneHistogram, scoreHistogram, type ValueHistogram } from './masks/value-histogram.ts';
export { type CountedGenes, countedGenes } from './negative-binomial/counted-genes.ts';
export type { DispersionTrend } from './negative-binomial/dispersion-trend.ts';
export {
  type DispersionPrior,
  dispersionPrior,
  genewiseDispersions,
  type GenewiseDispersions,
} from './negative-binomial/dispersions.ts';
export { geneFits, type GeneFits } from './negative-binomial/gene-fits.ts';
export { joined, joinedDispersions, joinedFits } from './negative-binomial/joined-genes.ts';
export {
  type NegativeBinomialTest,
  negativeBinomialTest,
  testedFits,
} from './negative-binomial/negative-binomial-test.ts';
export { promisedRate, simulatedFalseShare } from './negative-binomial/simulated-discoveries.ts';
export { type EnergyCells, energyDistance, energyTest } from './perturbations/energy-distance.ts';
export {
  guideColumns,
  isControlName,
  perturbationColumns,
  targetGenes,
} from './perturbations/perturbation-names.ts';
export { clusteredOrder, inflation, rowCorrelations, standardisedRow } from './perturbations/profiles.ts';
export { correctSparse, minExpected } from './markers/sparse-p-values.ts';
export {
  type LinearSums,
  remainingExpression,
  type RemainingExpression,
} from './perturbations/target-expression.ts';
export { compositionTest, minTypes, type ShareTransform } from './pseudobulk/composition.ts';
export {
  type Design,
  type DesignRequest,
  type SampleColumn,
  type SampleCovariate,
  type SampleFactor,
  contrastOf,
  levelContrast,
  codesAsFactor,
} from './pseudobulk/design.ts';
export { designOf } from './pseudobulk/design-of.ts';
export type { DesignRefusal } from './pseudobulk/design-refusal.ts';
export { defaultExpressionFilter, type ExpressionFilter } from './pseudobulk/filter-by-expression.ts';
export { type GeneSampleMatrix, selectGenes, selectSamples } from './pseudobulk/gene-sample-matrix.ts';
export type { ModeratedTest, ModeratedTests } from './pseudobulk/moderated-tests.ts';
export {
  type PseudobulkSamples,
  pseudobulkSamples,
  pseudobulkSums,
  type SummedCells,
} from './pseudobulk/pseudobulk-sums.ts';
export { NotCounts } from './pseudobulk/not-counts.ts';
export {
  type CountsRefusal,
  normalisedCounts,
  type NormalisedCounts,
  type PseudobulkTest,
  pseudobulkTest,
  type SumsRefusal,
} from './pseudobulk/pseudobulk-test.ts';
export type { SampleMap } from './pseudobulk/sample-map.ts';
export {
  isOnBothSides,
  maxSamples,
  replicatesOnSides,
  type SideCells,
  type SampleUnits,
  unitsOfSamples,
  valueCount,
} from './pseudobulk/sample-units.ts';
export { sideDesign, type SideDesign, type SideRefusal, type SideSums } from './pseudobulk/side-design.ts';
export { profileLikelihoods } from './quasi-likelihood/profile-likelihoods.ts';
export {
  joinedQuasiFits,
  quasiFits,
  type QuasiFits,
  quasiLikelihoodTest,
  type QuasiLikelihoodTest,
  quasiTrend,
  type QuasiTrend,
  testedQuasiFits,
} from './quasi-likelihood/quasi-likelihood-test.ts';
export { rankByMetric } from './ranked-enrichment/gene-ranking.ts';
export {
  adjustedPresent,
  groupTails,
  type MultilevelGroup,
  multilevelGroups,
  multilevelPValues,
} from './ranked-enrichment/multilevel-p-values.ts';
export { type PermutationTests, permutationTests } from './ranked-enrichment/permutation-tests.ts';
export {
  drawPermutations,
  maxRankedGenes,
  permutedScores,
  type Permutations,
  type RankedSetPlaces,
  type ScoreMatrix,
} from './ranked-enrichment/permuted-scores.ts';
export { runningScore, scoreCorners, stepWeights } from './ranked-enrichment/running-score.ts';
export { createRandom, negativeBinomial, type Random } from './random/seeded-random.ts';
export { SeededShuffle, type ShuffleState } from './random/seeded-shuffle.ts';
export { blockMeans, type BlockMeans } from './scores/block-means.ts';
export {
  NoControlGenes,
  NoExpressionMeans,
  planSignature,
  type SignaturePlan,
} from './scores/plan-signature.ts';
export { ScoreSum, signatureScores, type SummedGenes } from './scores/signature-scores.ts';
export {
  countGeneIds,
  detectSpecies,
  isGeneId,
  namedAsHuman,
  supportedSpecies,
  type Species,
  type SpeciesGuess,
} from './species/detect-species.ts';
export { InvalidOrthologues, type OrthologuePairs, parseOrthologues } from './species/parse-orthologues.ts';
export { benjaminiHochberg } from './statistics/benjamini-hochberg.ts';
export { leafOrder, linkage, type Merge } from './statistics/linkage.ts';
export { median } from './statistics/quantile.ts';
export { normalUpperTail, studentQuantile } from './statistics/tails.ts';
export { type CellGraph, cellGraph, type GraphParts, graphParts } from './trajectory/cell-graph.ts';
export { beginDiffusionMap, continueDiffusionMap, transitions } from './trajectory/diffusion-map.ts';
export { diffusionPseudotime, stationary } from './trajectory/diffusion-pseudotime.ts';
export { explainedShare } from './trajectory/explained-share.ts';
export { type GroupGraph, groupGraph } from './trajectory/group-graph.ts';
export { type Eigenpairs, type EigenState, largestEigenpairs } from './trajectory/largest-eigenpairs.ts';
export {
  evenStarts,
  joinNearestCells,
  leafSize,
  type NearestCells,
  nearestCells,
  type Neighbours,
  type PlacedPoints,
  placePoints,
  pointAt,
} from '@cellfolio/kernels';
export { partOfRoot, type RootChoice, rootedPart, rootOfPart } from './trajectory/root-cell.ts';
