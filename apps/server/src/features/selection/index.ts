export { onActiveCells, watched, type SelectionServices } from './active-cells.ts';
export { ActiveDatasets } from './active-datasets.ts';
export {
  datasetOf,
  keyOfSelection,
  keysOfDataset,
  sourceOf,
  visitors,
  type MaskSource,
  type Selection,
} from './selection.ts';
export {
  geneOf,
  rangeOf,
  ruleOf,
  subsetFilter,
  type GenePercentiles,
  type GeneRule,
  type SubsetFilter,
} from './subset-filter.ts';
