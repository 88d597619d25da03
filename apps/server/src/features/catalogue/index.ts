export { Catalogue, umapUrl, noSuchDataset, ReadableDatasets, isOwn } from './catalogue.ts';
export { lookUpGenes, noGenesFound } from './genes.ts';
export {
  leftOutCautions,
  listedCategories,
  listedFields,
  listedGenes,
  categoryCounts,
  countsOf,
  metadataCounts,
  unlabelledCells,
} from './listed-values.ts';
