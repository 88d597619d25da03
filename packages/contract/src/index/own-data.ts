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
  type UserFileRecord,
  type UserFileList,
  userFileList,
  type SubclusteringRecord,
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
  refuseTitles,
  SamplesTableRefused,
} from '../samples-table.ts';
export { type ExpressionAnswer, expressionAnswer } from '@cellfolio/model/expression-scale';
export {
  type ColumnChoice,
  type DropletChoice,
  type GenesIn,
  genesIn,
  type ProcessingChoice,
  processingChoice,
  type SamplesChoice,
  samplesChoice,
  type IntegrationChoice,
  integrationChoice,
  integrationWords,
} from '../processing.ts';
export {
  mapNumbers,
  mapNumbersOf,
  processingNumbers,
  type ProcessingNumberName,
  qualityNumbers,
} from '@cellfolio/model';
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
  type ProcessingRecord,
  processingRecord,
  type RemovedCells,
} from '@cellfolio/model/processing-record';
export { type DropletPlan, type QualityChoice, type QualityPlan } from '../quality-plan.ts';
export {
  minSubclusteringCells,
  type SubclusteringChoice,
  type SubclusteringLinks,
  subclusteringLinks,
  type SubclusteringRequest,
  subclusteringRequest,
} from '../subclusterings.ts';
export { type AccountContents, accountContents, deleteAccountRequest, deletedAccount } from '../account.ts';
