export {
  assetUrl,
  datasetMetadataKey,
  datasetMetadataQuery,
  explorerPath,
  findDataset,
  gsePage,
  SimulatedBadge,
  useDatasetMetadata,
} from './dataset-metadata.tsx';
export { entriesOf as datasetsOf } from './catalogue-entries.ts';
export { readRecentDatasets, rememberDataset } from './recent-datasets.ts';
