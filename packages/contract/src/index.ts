export type { Caution } from './caution.ts';
export { caution } from './caution.ts';
export { cellStateNames } from './cell-state-names.ts';
export { clusterField, columnTitle, partTitles } from './column-title.ts';
export type { PublicConfig } from './config.ts';
export { publicConfig } from './config.ts';
export { csvComments, isCsvFormula } from './csv-formula.ts';
export { minPValue } from '@cellfolio/model';
export type { DatasetAnalysis } from './dataset-analysis.ts';
export { datasetAnalysis } from './dataset-analysis.ts';
export { datasetId, datasetIdLength } from '@cellfolio/model/names';
export type {
  CatalogueDataset,
  DamagedDataset,
  DamagedDatasets,
  DatasetMetadata,
} from './dataset-catalogue.ts';
export { catalogueDataset, damagedDataset, damagedDatasets, datasetMetadata } from './dataset-catalogue.ts';
export type { DatasetNotReady } from './dataset-not-ready.ts';
export { datasetNotReady } from './dataset-not-ready.ts';
export type { ApiError } from './error.ts';
export { apiError } from './error.ts';
export type { ExplorerLink, ExplorerLinkRequest } from './explorer-links.ts';
export { explorerLink, explorerLinkRequest } from './explorer-links.ts';
export type { ExportCellsRequest } from './export-cells.ts';
export { exportCellsRequest } from './export-cells.ts';
export { fileSize, roundFileSize } from './file-size.ts';
export type { FigureImage } from './figure-image.ts';
export { figureImage } from './figure-image.ts';
export type {
  EnrichmentBackground,
  MarkerParameters,
  PathwayParameters,
} from '@cellfolio/analysis/parameters';
export { enrichmentBackground, expressedDefaults, speciesName } from '@cellfolio/analysis/parameters';
export type { FigureContent } from '@cellfolio/plots/content';
export { defaultMinimumGenes } from '@cellfolio/plots/content';
export type { FigureFormat, FigureSource, FigureView, RenderFigureRequest } from './figure-source.ts';
export {
  figureFormats,
  figureSource,
  mostViewPixels,
  readFigureSource,
  renamedSource,
  renderFigureRequest,
} from './figure-source.ts';
export type {
  ChosenCells,
  FilterAnswer,
  FilterPreview,
  FilterRequest,
  ValueHistogram,
} from './filter-active-dataset.ts';
export { filterAnswer, filterPreview, filterRequest } from './filter-active-dataset.ts';
export type { GeneDatasets } from './gene-datasets.ts';
export { geneDatasets } from './gene-datasets.ts';
export type { GeneSetLibraries, GeneSetOrigin, PulledGeneSetLibraries } from './gene-set-libraries.ts';
export {
  geneSetAttribution,
  geneSetLibraries,
  geneSetOrigin,
  pulledGeneSetLibraries,
} from './gene-set-libraries.ts';
export { apiHeaders } from './headers.ts';
export type { MarkerAnalysisAnswer, MarkerAnalysisRequest } from './marker-analysis.ts';
export { markerAnalysisAnswer, markerAnalysisRequest } from './marker-analysis.ts';
export type { PathwayAnalysisAnswer, PathwayAnalysisRequest } from './pathway-analysis.ts';
export { pathwayAnalysisAnswer, pathwayAnalysisRequest } from './pathway-analysis.ts';
export type {
  PlotIsolatedCellTypesAnswer,
  PlotIsolatedCellTypesRequest,
} from './plot-isolated-cell-types.ts';
export { plotIsolatedCellTypesAnswer, plotIsolatedCellTypesRequest } from './plot-isolated-cell-types.ts';
export type {
  PlotCellStateAnswer,
  PlotCellStateRequest,
  PlotSignatureAnswer,
  PlotSignatureRequest,
} from './plot-scores.ts';
export {
  fewGenes,
  plotCellStateAnswer,
  plotCellStateRequest,
  plotSignatureAnswer,
  plotSignatureRequest,
} from './plot-scores.ts';
export type { GenePlot, PlotUmapWithGenesAnswer, PlotUmapWithGenesRequest } from './plot-umap-with-genes.ts';
export { genePlot, plotUmapWithGenesAnswer, plotUmapWithGenesRequest } from './plot-umap-with-genes.ts';
export type { ProgressEvent } from './progress.ts';
export { progressEvent } from './progress.ts';
export { requestProblem } from './request-problems.ts';
export type { DropletChoice, ProcessingChoice, ProcessingRecord, RemovedCells } from './processing.ts';
export { dropletDefaults, processingChoice, processingDefaults, processingRecord } from './processing.ts';
export type { DropletPlan, QualityChoice, QualityPlan } from './quality-plan.ts';
export { qualityPlan } from './quality-plan.ts';
export type { ColumnChoice, ExpressionAnswer } from './column-choice.ts';
export type { FileReport } from './file-report.ts';
export { columnChoice, expressionAnswer } from './column-choice.ts';
export { fileReport } from './file-report.ts';
export type { BuildRequest, ConvertRequest, Job, JobAnswer, JobProblem } from './jobs.ts';
export { buildRequest, convertRequest, job, jobAnswer, jobProblem } from './jobs.ts';
export type { OwnFile, OwnFiles } from './own-files.ts';
export { ownFile, ownFiles } from './own-files.ts';
