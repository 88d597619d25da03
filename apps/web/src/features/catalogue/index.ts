export { assetUrl } from './dataset-links.ts';
export { findDataset } from './find-dataset.ts';
export { groupedByOf } from './grouped-by.ts';
export { readRecentDatasets, rememberDataset } from './recent-datasets.ts';
export { SimulatedBadge } from './simulated-badge.tsx';
export { datasetMetadataKey, datasetMetadataQuery, useDatasetMetadata } from './use-dataset-metadata.ts';
