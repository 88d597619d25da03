export {
  assetUrl,
  datasetMetadataKey,
  datasetMetadataQuery,
  findDataset,
  SimulatedBadge,
  useDatasetMetadata,
} from './dataset-metadata.tsx';
export { DatasetSelectorPage } from './dataset-selector-page.tsx';
export { readRecentDatasets, rememberDataset } from './recent-datasets.ts';
