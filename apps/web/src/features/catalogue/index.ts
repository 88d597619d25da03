export {
  assetUrl,
  datasetMetadataKey,
  datasetMetadataQuery,
  findDataset,
  SimulatedBadge,
  useDatasetMetadata,
} from './dataset-metadata.tsx';
export { readRecentDatasets, rememberDataset } from './recent-datasets.ts';
