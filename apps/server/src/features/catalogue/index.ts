export { Catalogue, umapUrl, datasetReplaced, noSuchDataset, ReadableDatasets, isOwn } from './catalogue.ts';
export { datasetQuery, queriedDataset } from './dataset-query.ts';
export { lookUpGenes, noGenesFound, placeOf } from './genes.ts';
export { VersionCache } from './version-cache.ts';
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
