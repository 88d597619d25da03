export { Catalogue, umapUrl } from './catalogue.ts';
export { lookUpGenes, noGenesFound } from './gene-lookup.ts';
export { leftOutCautions, listedCategories, listedFields, listedGenes } from './listed-in-answer.ts';
export { noSuchDataset } from './no-such-dataset.ts';
export { categoryCounts, countsOf, metadataCounts, unlabelledCells } from './obs-summary.ts';
export { ReadableDatasets, isOwn } from './readable-datasets.ts';
