export {
  assetUrl,
  datasetMetadataKey,
  datasetMetadataQuery,
  findDataset,
  useDatasetMetadata,
} from './dataset-metadata.ts';
export { SimulatedBadge } from './dataset-preview.tsx';
export { DatasetSelectorPage } from './dataset-selector-page.tsx';
export { readRecentDatasets, rememberDataset } from './recent-datasets.ts';
