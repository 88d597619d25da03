export {
  assetUrl,
  datasetMetadataKey,
  datasetMetadataQuery,
  explorerPath,
  findDataset,
  SimulatedBadge,
  useDatasetMetadata,
} from './dataset-metadata.tsx';
export { readRecentDatasets, rememberDataset } from './recent-datasets.ts';
