export {
  assetUrl,
  datasetMetadataKey,
  datasetMetadataQuery,
  explorerPath,
  findDataset,
  SimulatedBadge,
  useDatasetMetadata,
} from './dataset-metadata.tsx';
export { entriesOf as datasetsOf } from './catalogue-entries.ts';
export { readRecentDatasets, rememberDataset } from './recent-datasets.ts';
