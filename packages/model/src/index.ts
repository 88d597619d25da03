export {
  type CategoricalColumn,
  type Column,
  isCategorical,
  isWide,
  mismatchedColumns,
  type NumericArray,
  type NumericColumn,
  type NumericType,
  packStrings,
  type PackedStrings,
  rowsOf,
  stringAt,
  type StringColumn,
  type Table,
  unpackStrings,
  type WideIntegerColumn,
  type WideIntegers,
} from './column.ts';
export {
  catalogueFields,
  type CatalogueEntry,
  type CatalogueOptions,
  fieldsOfOptions,
  optionsOfFields,
  listedFieldsOf,
} from './catalogue.ts';
export type { Caution } from './caution.ts';
export { isCellCycleGene } from './cell-cycle-genes.ts';
export {
  type ColumnRoles,
  type ExpressionSource,
  type ProteinScale,
  expressionUnit,
  proteinScaleAttribute,
  proteinScaleOf,
  proteinUnit,
  assetsUnsKey,
  proteinUnsKeys,
} from './dataset.ts';
export type { ExpressionAnswer, ExpressionScale, OtherFeatures, ValueScale } from './expression-scale.ts';
export {
  type CellMask,
  denseValues,
  type Embedding,
  type CountBlock,
  type GeneBlock,
  type GeneColumn,
  largestGene,
  sharedCopy,
  sharedMask,
  type CellRowEntries,
  type FileGraph,
  type GraphOrigin,
} from './expression.ts';
export {
  type IntegrationMethod,
  integrationMethods,
  integrationText,
  keptApartText,
} from './integration-methods.ts';
export { type GeneFacts, haemoglobinGenes, mitochondrialGenes, ribosomalGenes } from './gene-kinds.ts';
export { deviationScale } from './deviation-scale.ts';
export {
  mapDefaults,
  type MapNumber,
  mapNumbers,
  mapNumbersOf,
  type ProcessingNumber,
  type ProcessingNumberName,
  processingNumbers,
  qualityNumbers,
} from './processing-numbers.ts';
export { type QualitySettings, qualityThresholds, soundMitochondrial } from './find-quality-thresholds.ts';
export type {
  DoubletGroup,
  DropletRecord,
  IntegrationRun,
  KeptGroup,
  NeighbourMixing,
  NeighbourRecall,
  ProcessingRecord,
  QualityRecord,
  QualityThresholds,
  RemovedCells,
  SamplesRecord,
  Spread,
  Spreads,
} from './processing-record.ts';
export {
  countCautions,
  equalTotals,
  modelledValues,
  noCountsReason,
  noCountsUsed,
  replicatesOfValues,
  scaledValues,
  valueCautions,
} from './value-cautions.ts';
export {
  noteLines,
  type ResultCaution,
  resultNotes,
  type ResultNotes,
  warningsShown,
} from './result-cautions.ts';
export { leftOutCautions, unassignedCautions } from './left-out-groups.ts';
export { outputRoot, type SideFiles, sideFiles } from './side-files.ts';
export { mixingCaution, mixingText, sampleMixing } from './sample-mixing.ts';
export {
  boundedNames,
  countText,
  cutText,
  isSystemFile,
  isUtf16,
  listedNames,
  minPValue,
  percentText,
  plural,
  pluralWord,
  maxNameLength,
  maxCategories,
  maxFields,
  maxGeneNameCharacters,
  maxListedCharacters,
  quotedHead,
  utf16Advice,
} from './text.ts';
export { isClustering, isOfExpression, typeColumn } from './type-columns.ts';
export { unitName, type UnitName } from './unit-name.ts';
export { isUnassigned } from './names-of-groups.ts';
export {
  isTermId,
  labelColumnOf,
  type LabelTerms,
  splitValues,
  termColumnOf,
  termsOfLabels,
  withoutTermColumns,
} from './ontology-terms.ts';
