export type {
  BooleanColumn,
  CategoricalColumn,
  Column,
  NumericArray,
  NumericColumn,
  NumericType,
  PackedStrings,
  StringColumn,
  Table,
  WideIntegerColumn,
  WideIntegers,
} from './column.ts';
export {
  boundedNames,
  cutText,
  longestName,
  mostCategories,
  mostFields,
  mostGeneNames,
  mostListed,
  quotedHead,
} from './bounded-names.ts';
export type { Caution } from './caution.ts';
export { countText, leastPValue } from './count-text.ts';
export type {
  CatalogueEntry,
  ColumnRoles,
  ExpressionScale,
  ExpressionSource,
  OtherFeatures,
  ValueScale,
} from './dataset.ts';
export { expressionUnit } from './dataset.ts';
export type { CellMask, Embedding, GeneBlock, GeneColumn } from './expression.ts';
export { denseValues } from './expression.ts';
export { isCategorical, isWide, misshapenColumns, rowsOf } from './guards.ts';
export { packStrings, stringAt, unpackStrings } from './packed-strings.ts';
export type {
  DropletRecord,
  ProcessingRecord,
  QualityRecord,
  QualityThresholds,
  RemovedCells,
} from './processing.ts';
export { mixingCaution, sampleMixing, type NeighbourMixing, type SampleMixing } from './sample-mixing.ts';
export { sharedCopy, sharedMask } from './shared-memory.ts';
