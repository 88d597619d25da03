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
} from './column.ts';
export type { Caution } from './caution.ts';
export type { CatalogueEntry, ColumnRoles, ExpressionSource } from './dataset.ts';
export type { CellMask, Embedding, GeneBlock, GeneColumn } from './expression.ts';
export { denseValues } from './expression.ts';
export { isCategorical, misshapenColumns, rowsOf } from './guards.ts';
export { packStrings, stringAt, unpackStrings } from './packed-strings.ts';
export type {
  DropletRecord,
  ProcessingRecord,
  QualityRecord,
  QualityThresholds,
  RemovedCells,
} from './processing.ts';
export { mixingCaution, sampleMixing, type NeighbourMixing, type SampleMixing } from './sample-mixing.ts';
