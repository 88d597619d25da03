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
  software,
} from './definition.ts';
export { displaysIn, sourceOf } from './figure-source.ts';
export {
  datasetOf,
  keyOfSelection,
  keysOfDataset,
  visitors,
  type MaskSource,
  type Displays,
  type OwnColumns,
  keyOfCells,
  placesOf,
  type Selection,
  geneOf,
  rangeOf,
  ruleOf,
  subsetFilter,
  type GenePercentiles,
  type GeneRule,
  type SubsetFilter,
} from './selection.ts';
