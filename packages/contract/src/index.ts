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
  clusterField,
  columnTitle,
  csvComments,
  fileSize,
  isCsvFormula,
  partTitles,
  roundFileSize,
} from './texts.ts';
export { analysisPrompts, defaultAnalysisPrompt } from './analysis-prompts.ts';
export { type PublicConfig, publicConfig } from './config.ts';
export { minPValue } from '@cellfolio/model';
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
  geneSummary,
} from './datasets.ts';
export {
  extensionOf,
  isDatasetFile,
  uploadExtensions,
  uploadKind,
  type UploadKind,
  uploadKinds,
} from './upload-kinds.ts';
export { catalogueFields } from '@cellfolio/model/catalogue';
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
  type EnrichmentBackground,
  enrichmentBackground,
  expressedDefaults,
  type MarkerParameters,
  type PathwayParameters,
  speciesName,
} from '@cellfolio/analysis/parameters';
export { defaultMinimumGenes, type FigureContent } from '@cellfolio/plots/content';
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
export { requestProblem } from './request-problems.ts';
export {
  type ColumnChoice,
  columnChoice,
  type DropletChoice,
  dropletDefaults,
  type DropletPlan,
  type ExpressionAnswer,
  expressionAnswer,
  type ProcessingChoice,
  processingChoice,
  processingDefaults,
  type ProcessingRecord,
  processingRecord,
  type QualityChoice,
  type QualityPlan,
  qualityPlan,
  type RemovedCells,
} from './processing.ts';
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
