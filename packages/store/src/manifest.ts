import type {
  CatalogueEntry,
  ColumnRoles,
  Caution,
  ExpressionSource,
  OtherFeatures,
  ProcessingRecord,
} from '@cellfolio/model';
import { datasetPrefix, filesPrefix } from './dataset-id.ts';

/** Of what is on the disk; there is no reader for an earlier one. */
export const formatVersion = 2;

/** What the store knows of a dataset without opening its arrays: `manifest.json`, written last. */
export interface DatasetManifest {
  readonly format: 'cellfolio-dataset';
  readonly formatVersion: typeof formatVersion;
  /** Under which the catalogue and the calls know the dataset: a file name such as `breast-tnbc.h5ad`, or `custom:<uuid>`. */
  readonly id: string;
  /** Digest of all checksums: changes when any value changes. Part of every cache key. */
  readonly version: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly cellCount: number;
  readonly geneCount: number;
  /** Stored entries of X. */
  readonly valueCount: number;
  readonly catalogue: CatalogueEntry;
  readonly roles: ColumnRoles;
  readonly expression: ExpressionSource;
  readonly warnings: readonly Caution[];
  /** What was computed from raw counts; absent where everything was in the file. */
  readonly processing?: ProcessingRecord;
  /** Features of the file that are no genes and are not in the dataset; absent where all were genes. */
  readonly otherFeatures?: readonly OtherFeatures[];
  /** Path inside the dataset to size in bytes and SHA-256 in hex, of every other object. */
  readonly files: Readonly<Record<string, { size: number; sha256: string }>>;
  /** Where the objects are in a store that cannot move them: a folder of this name, made for this writing alone. */
  readonly folder?: string;
}

/** Key prefix of the objects that a manifest lists, with its closing slash. */
export function objectsPrefix({ id, folder }: Pick<DatasetManifest, 'id' | 'folder'>): string {
  return folder === undefined ? datasetPrefix(id) : `${filesPrefix(id)}${folder}/`;
}
