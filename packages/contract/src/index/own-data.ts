// Calls of uploads: files, what datasets are made of, and how.

export {
  datasetKinds,
  extensionOf,
  isDatasetFile,
  isPackedTar,
  listExtensions,
  type MatrixPart,
  matrixPart,
  onlyDatasetsText,
  refusedFormats,
  uploadExtensions,
  uploadKind,
  withoutExtension,
  type UploadKind,
  uploadKinds,
} from '../upload-kinds.ts';
export {
  type BuildFileRequest,
  buildFileRequest,
  type BuildRequest,
  buildRequest,
  type CopiedRecord,
  copiedRecord,
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
  type OwnFiles,
  ownFiles,
} from '../files.ts';
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
} from '../linked-data.ts';
export { batchProblem, type CombineOrder, type CombineRequest, combineRequest } from '../combine.ts';
export {
  maxSampleColumns,
  maxSamples,
  parseSamplesTable,
  refuseRows,
  refuseTitles,
  SamplesTableRefused,
} from '../samples-table.ts';
export {
  type ColumnChoice,
  columnChoice,
  type DropletChoice,
  type ExpressionAnswer,
  type GenesIn,
  genesIn,
  expressionAnswer,
  type ProcessingChoice,
  processingChoice,
  type SamplesChoice,
  samplesChoice,
  type IntegrationChoice,
  integrationChoice,
  integrationWords,
} from '../processing.ts';
export {
  dropletDefaults,
  fileSamplesDefaults,
  processingDefaults,
  samplesDefaults,
} from '../processing-defaults.ts';
export { type PartChoice, partChoice, samplesDone, samplesOfFile, samplesOfPart } from '../samples-done.ts';
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
} from '../processing-record.ts';
export {
  minSubclusteringCells,
  type SubclusteringChoice,
  type SubclusteringLinks,
  subclusteringLinks,
  type SubclusteringRequest,
  subclusteringRequest,
} from '../subclusterings.ts';
export { type AccountContents, accountContents, deleteAccountRequest, deletedAccount } from '../account.ts';
