export {
  onActiveCells,
  onAllCells,
  watched,
  type SelectionServices,
  type TurnServices,
  ActiveDatasets,
} from './active-cells.ts';
export {
  cutByExpression,
  type Definition,
  definitionLine,
  definitionLines,
  definitionOf,
  keptBy,
  notesOf,
  otherCells,
} from './definition.ts';
export { displaysIn, sourceOf } from './figure-source.ts';
export {
  datasetOf,
  keyOfSelection,
  keysOfDataset,
  visitors,
  type MaskSource,
  type Displays,
  type UserColumns,
  keyOfCells,
  placesOf,
  type Selection,
  geneOf,
  rangeOf,
  ruleOf,
  subsetFilter,
  withShortCells,
  type GenePercentiles,
  type GeneRule,
  type SubsetFilter,
} from './selection.ts';
