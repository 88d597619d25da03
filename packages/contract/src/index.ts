export {
  type ApiError,
  apiError,
  apiHeaders,
  type ProgressEvent,
  progressEvent,
  type ResultFact,
  resultNotes,
} from './answers.ts';
export {
  namedNotes,
  clusterField,
  columnTitle,
  labelColumnOf,
  embeddingTitle,
  fileSize,
  groupByTitle,
  partTitles,
  roundFileSize,
} from './texts.ts';
export * from './cellxgene.ts';
export { type PublicConfig, publicConfig } from './config.ts';
export { csvCell, csvComments, csvCommentText, csvJson, csvText } from './csv.ts';
export {
  allowedApp,
  appConsent,
  type AppRequest,
  appRequest,
  appRequestProblem,
  type AppScope,
  appScopes,
  type ConnectedApp,
  connectedApps,
  type DescribedApp,
  describedApp,
  disconnectedApp,
} from './connected-apps.ts';
export {
  type CallerScopes,
  callerScopes,
  type KeyScope,
  keyScope,
  keyScopeNames,
  keyScopes,
  usualScopes,
} from './key-scopes.ts';
export { canceledCall, type ToolCallList, toolCalls, toolCallsQuery } from './tool-calls.ts';
export { filterWords } from './filter-words.ts';
export {
  boundedNames,
  deviationScale,
  integrationMethods,
  integrationText,
  isOfExpression,
  isSystemFile,
  sideFiles,
  isUtf16,
  keptApartText,
  minPValue,
  mixingText,
  typeColumn,
  warningsShown,
  countText,
  percentText,
  plural,
  pluralWord,
  type QualityThresholds,
  qualityThresholds,
  soundMitochondrial,
  utf16Advice,
  noCountsReason,
} from '@cellfolio/model';
export {
  type CatalogueDataset,
  catalogueDataset,
  type DamagedDataset,
  damagedDataset,
  type DamagedDatasets,
  damagedDatasets,
  datasetTerms,
  type DatasetTerms,
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
  type CalledTerms,
  calledTerms,
  calledTermsRequest,
  maxCalledNames,
  ontologies,
  type OntologyName,
  type OntologyTerms,
  ontologyTerms,
  ontologyTermsQuery,
} from './ontology.ts';
export { catalogueFields } from '@cellfolio/model/catalogue';
export { type Caution, caution } from '@cellfolio/model/caution';
export { foldedName, namesOfGene } from '@cellfolio/model/names-of-genes';
export { isUnassigned } from '@cellfolio/model/names-of-groups';
export { datasetId, datasetIdLength, type SelectedCells } from '@cellfolio/model/names';
export { requestProblem } from './request-problems.ts';
export * from './index/analyses.ts';
export * from './index/explorer.ts';
export * from './index/own-data.ts';
