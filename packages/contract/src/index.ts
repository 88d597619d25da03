export {
  type ApiError,
  apiError,
  apiHeaders,
  type Caution,
  caution,
  type ProgressEvent,
  progressEvent,
} from './answers.ts';
export {
  cellStateNames,
  geneSetAttribution,
  type GeneSetLibraries,
  geneSetLibraries,
  type GeneSetOrigin,
  geneSetOrigin,
  type PulledGeneSetLibraries,
  pulledGeneSetLibraries,
} from './gene-sets.ts';
export {
  type ComparisonAnswer,
  comparisonAnswer,
  type ComparisonRequest,
  comparisonRequest,
} from './comparisons.ts';
export { decileAnswer, type DecileAnswer, decileRequest, type DecileRequest } from './deciles.ts';
export {
  type ExportContents,
  exportContents,
  type ExportContentsRequest,
  exportContentsRequest,
  type ExportDatasetRequest,
  exportDatasetRequest,
} from './exports.ts';
export { isOfSums } from '@cellfolio/analysis/parameters';
export { type ComparisonDesign, comparisonDesign, type PseudobulkAnswer } from './pseudobulk.ts';
export {
  type CompositionAnswer,
  compositionAnswer,
  type CompositionRequest,
  compositionRequest,
} from './composition.ts';
export {
  type LigandReceptorAnswer,
  ligandReceptorAnswer,
  type LigandReceptorRequest,
  ligandReceptorRequest,
  type PairSet,
  pairSet,
  type PairSets,
  pairSets,
} from './ligand-receptor.ts';
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
} from './cell-types.ts';
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
} from './cell-models.ts';
export { type NamedNote, namedNotes } from './named-notes.ts';
export {
  clusterField,
  columnTitle,
  csvCell,
  csvComments,
  csvText,
  embeddingTitle,
  fileSize,
  isCsvFormula,
  partTitles,
  roundFileSize,
} from './texts.ts';
export {
  type Annotation,
  annotation,
  type AnnotationChange,
  annotationChange,
  annotationChangeRequest,
  annotationsIn,
  annotationImport,
  type AnnotationList,
  annotationList,
  annotationMove,
  annotationRename,
  type NumberColumn,
  numberColumn,
  type AnnotationRevision,
  type BarcodeMatch,
  type MatchedAnnotation,
  matchedAnnotation,
  maxAnnotationGroups,
  maxAnnotations,
  type NewAnnotation,
  newAnnotation,
} from './annotations.ts';
export { hasCellNumbers, newNumberColumn } from './number-columns.ts';
export {
  type CategoryDisplay,
  type CategoryDisplayList,
  categoryDisplayList,
  type CategoryDisplayRequest,
  categoryDisplayRequest,
  categoryDisplayReset,
  type ColumnCategories,
  columnCategories,
  type DisplayRevision,
  displayRevision,
  maxCategoryDisplays,
  maxDisplayedCategories,
} from './category-displays.ts';
export {
  type GeneList,
  geneList,
  type GeneListChange,
  geneListChange,
  type GeneListList,
  geneListList,
  type GeneNamesAnswer,
  geneNamesAnswer,
  geneNamesRequest,
  maxListGenes,
  maxNamesLookedUp,
  type NewGeneList,
  newGeneList,
} from './gene-lists.ts';
export { analysisPrompts, defaultAnalysisPrompt } from './analysis-prompts.ts';
export { type PublicConfig, publicConfig } from './config.ts';
export { minPValue, percentText } from '@cellfolio/model';
export { type DatasetAnalysis, datasetAnalysis } from './dataset-analysis.ts';
export {
  type CatalogueDataset,
  catalogueDataset,
  type DamagedDataset,
  damagedDataset,
  type DamagedDatasets,
  damagedDatasets,
  type DatasetMetadata,
  datasetMetadata,
  type GeneDatasets,
  geneDatasets,
  type GeneSummary,
  type GeneSummaryFormat,
  geneSummary,
  geneSummaryFormats,
} from './datasets.ts';
export {
  datasetKinds,
  extensionOf,
  isDatasetFile,
  isPackedTar,
  listExtensions,
  onlyDatasetsText,
  refusedFormats,
  uploadExtensions,
  uploadKind,
  withoutExtension,
  type UploadKind,
  uploadKinds,
} from './upload-kinds.ts';
export { catalogueFields } from '@cellfolio/model/catalogue';
export { foldedName, namesOfGene } from '@cellfolio/model/names-of-genes';
export { datasetId, datasetIdLength, type SelectedCells } from '@cellfolio/model/names';
export {
  type BuildRequest,
  buildRequest,
  type ConvertRequest,
  convertRequest,
  type DatasetNotReady,
  datasetNotReady,
  type FileReport,
  fileReport,
  type Job,
  job,
  jobAnswer,
  type JobProblem,
  jobProblem,
  type OwnFile,
  ownFile,
  type OwnFiles,
  ownFiles,
} from './files.ts';
export {
  type DownloadRequest,
  downloadRequest,
  jobsAnswer,
  type LinkedData,
  linkedData,
  type LinkPreview,
  linkPreview,
  linkRequest,
  maxDownloads,
} from './linked-data.ts';
export { batchProblem, type CombineOrder, type CombineRequest, combineRequest } from './combine.ts';
export {
  maxSampleColumns,
  maxSamples,
  parseSamplesTable,
  refuseRows,
  refuseTitles,
  type SampleRow,
  type SampleRows,
  SamplesTableRefused,
} from './samples-table.ts';
export {
  type ExplorerLink,
  explorerLink,
  explorerLinkRequest,
  type OpenedLink,
  openedLink,
} from './links.ts';
export {
  type ExportCellsRequest,
  exportCellsRequest,
  fewGenes,
  type FigureFormat,
  figureFormats,
  type FigureImage,
  figureImage,
  type FigureSource,
  figureSource,
  type FigureView,
  type GenePlot,
  genePlot,
  maxViewPixels,
  type PlotCellStateAnswer,
  plotCellStateAnswer,
  type PlotCellStateRequest,
  plotCellStateRequest,
  type PlotIsolatedCellTypesAnswer,
  plotIsolatedCellTypesAnswer,
  type PlotIsolatedCellTypesRequest,
  plotIsolatedCellTypesRequest,
  type PlotSignatureAnswer,
  plotSignatureAnswer,
  type PlotSignatureRequest,
  plotSignatureRequest,
  type PlotUmapWithGenesAnswer,
  plotUmapWithGenesAnswer,
  type PlotUmapWithGenesRequest,
  plotUmapWithGenesRequest,
  readFigureSource,
  renamedSource,
  type RenderFigureRequest,
  renderFigureRequest,
} from './figures.ts';
export {
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
export { defaultMinimumGenes, type FigureContent } from '@cellfolio/plots/content';
export {
  type CellSetsAnswer,
  cellSetsAnswer,
  type CellSetsRequest,
  cellSetsRequest,
  maxCellSets,
  maxComposed,
} from './cell-sets.ts';
export {
  type ChosenCells,
  type FilterAnswer,
  filterAnswer,
  type FilterPreview,
  filterPreview,
  type FilterRequest,
  filterRequest,
  type ValueHistogram,
} from './subsets.ts';
export {
  type MarkerAnalysisAnswer,
  markerAnalysisAnswer,
  type MarkerAnalysisRequest,
  markerAnalysisRequest,
} from './markers.ts';
export {
  type PathwayAnalysisAnswer,
  pathwayAnalysisAnswer,
  type PathwayAnalysisRequest,
  pathwayAnalysisRequest,
} from './pathways.ts';
export {
  maxRankingBytes,
  type RankedEnrichmentAnswer,
  rankedEnrichmentAnswer,
  type RankedEnrichmentRequest,
  rankedEnrichmentRequest,
} from './ranked-enrichment.ts';
export { requestProblem } from './request-problems.ts';
export {
  type ColumnChoice,
  columnChoice,
  type DropletChoice,
  dropletDefaults,
  type ExpressionAnswer,
  type GenesIn,
  genesIn,
  expressionAnswer,
  type ProcessingChoice,
  processingChoice,
  processingDefaults,
  type SamplesChoice,
  samplesChoice,
  samplesDefaults,
  samplesDone,
} from './processing.ts';
export {
  type CombinedRecord,
  combinedRecord,
  type DropletPlan,
  type ProcessingRecord,
  processingRecord,
  type QualityChoice,
  type QualityPlan,
  qualityPlan,
  type RemovedCells,
  type SubclusteringRecord,
  subclusteringRecord,
} from './processing-record.ts';
export {
  minSubclusteringCells,
  type PartChoice,
  partChoice,
  samplesOfPart,
  type SubclusteringChoice,
  subclusteringChoice,
  type SubclusteringLinks,
  subclusteringLinks,
  type SubclusteringRequest,
  subclusteringRequest,
} from './subclusterings.ts';
export {
  cellQuery,
  columnQuery,
  embeddingQuery,
  mapCell,
  type MapCell,
  mapColumnList,
  type MapColumnList,
  maskColumnRequest,
  type MaskColumnRequest,
  scoreColumnRequest,
  type ScoreColumnRequest,
  mapFigure,
  type MapFigure,
  mapView,
  type MapViewState,
} from './columns.ts';
export {
  type CoExpressionAnswer,
  coExpressionAnswer,
  type CoExpressionRequest,
  coExpressionRequest,
} from './co-expression.ts';
export {
  maxTrajectoryGenes,
  type TrajectoryAnswer,
  trajectoryAnswer,
  type TrajectoryRequest,
  trajectoryRequest,
} from './trajectory.ts';
export {
  type GradientAnswer,
  gradientAnswer,
  type GradientRequest,
  gradientRequest,
  maxGradientGenes,
} from './gradient.ts';
