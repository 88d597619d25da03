export { onActiveCells, watched, type SelectionServices, ActiveDatasets } from './active-cells.ts';
export {
  datasetOf,
  keyOfSelection,
  keysOfDataset,
  sourceOf,
  visitors,
  type MaskSource,
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
