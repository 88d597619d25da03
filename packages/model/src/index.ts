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
export type {
  Caution,
  ColumnRoles,
  DropletRecord,
  ExpressionScale,
  ExpressionSource,
  NeighbourMixing,
  OtherFeatures,
  DoubletGroup,
  KeptGroup,
  ProcessingRecord,
  SamplesRecord,
  QualityRecord,
  QualityThresholds,
  RemovedCells,
  ValueScale,
} from './dataset.ts';
export { expressionUnit } from './dataset.ts';
export {
  type CellMask,
  denseValues,
  type Embedding,
  type GeneBlock,
  type GeneColumn,
  largestGene,
  sharedCopy,
  sharedMask,
} from './expression.ts';
export type { CellRowEntries, FileGraph, GraphOrigin } from './neighbour-graph.ts';
export { mixingCaution, sampleMixing } from './sample-mixing.ts';
export {
  boundedNames,
  countText,
  cutText,
  minPValue,
  maxNameLength,
  maxCategories,
  maxFields,
  maxGeneNameCharacters,
  maxListedCharacters,
  quotedHead,
} from './text.ts';
