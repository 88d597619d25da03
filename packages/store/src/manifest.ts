import { createHash } from 'node:crypto';
import { fileFault, ObjectNotFound, type ObjectStore } from '@cellfolio/bytes';
import {
  boundedNames,
  type CatalogueEntry,
  type Caution,
  type ColumnRoles,
  cutText,
  type ExpressionSource,
  labelColumnOf,
  type OtherFeatures,
  type ProcessingRecord,
} from '@cellfolio/model';
import { checksumBytes } from './chunk-buffers.ts';
import { datasetPrefix, filesPrefix, manifestKey } from './dataset-id.ts';
import { DatasetDamaged, DatasetNotFound } from './errors.ts';

/** Version of the on-disk format; there is no reader for an earlier one. */
export const formatVersion = 2;

export interface FileRecord {
  size: number;
  /** Hex SHA-256: of all bytes, or by `shardDigest` for an object that begins with chunks ending in their CRC-32C. */
  sha256: string;
  /** Number of these chunks, and bytes of each, including its checksum. */
  chunks?: { count: number; bytes: number };
}

/** Facts about a dataset that are available without opening its arrays: `manifest.json`, written last. */
export interface DatasetManifest {
  readonly format: 'cellfolio-dataset';
  readonly formatVersion: typeof formatVersion;
  /** Id in the catalogue and the API: a file name such as `breast-tnbc.h5ad`, or `custom:<uuid>`. */
  readonly id: string;
  /** Digest of all checksums: changes with any value. Part of every cache key. */
  readonly version: string;
  readonly createdAt: string;
  readonly cellCount: number;
  readonly geneCount: number;
  readonly valueCount: number;
  readonly catalogue: CatalogueEntry;
  readonly roles: ColumnRoles;
  readonly expression: ExpressionSource;
  readonly warnings: readonly Caution[];
  /** Processing of raw counts; absent if everything was in the file. */
  readonly processing?: ProcessingRecord;
  /** Non-gene features of the file, which are not in the dataset; absent if all were genes. */
  readonly otherFeatures?: readonly OtherFeatures[];
  /** Ontology id of the organism that all cells are of; absent if the file named none. */
  readonly organism?: string;
  readonly files: Readonly<Record<string, FileRecord>>;
  /** Folder of the objects in a store that cannot move them, unique to this write. */
  readonly folder?: string;
}

export type DatasetDescription = Pick<
  DatasetManifest,
  'catalogue' | 'roles' | 'expression' | 'warnings' | 'processing' | 'otherFeatures' | 'organism'
>;

/** Key prefix of a manifest's objects, with a trailing slash. */
export function objectsPrefix({ id, folder }: Pick<DatasetManifest, 'id' | 'folder'>): string {
  return folder === undefined ? datasetPrefix(id) : `${filesPrefix(id)}${folder}/`;
}

/** Digest of the checksums of all files and of their description: column roles change figures as much as values do. */
export function datasetVersion(files: DatasetManifest['files'], description: DatasetDescription): string {
  const hash = createHash('sha256');
  for (const [path, { sha256 }] of Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`${path} ${sha256}\n`);
  const { catalogue, roles, expression, warnings, processing, organism } = description;
  hash.update(
    JSON.stringify(
      sortedKeys({
        catalogue,
        roles,
        expression,
        warnings,
        ...(processing && { processing }),
        ...(organism && { organism }),
      }),
    ),
  );
  return hash.digest('hex').slice(0, 32);
}

/** The same value with sorted keys in every object, so that equal content has equal text. */
function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, sortedKeys(item)]),
  );
}

/** Throws InvalidDatasetId, DatasetNotFound, DatasetDamaged. */
export async function readManifest(objects: ObjectStore, id: string): Promise<DatasetManifest> {
  const key = manifestKey(id);
  let bytes: Uint8Array;
  try {
    bytes = await objects.get(key);
  } catch (error) {
    if (error instanceof ObjectNotFound) throw new DatasetNotFound(id, { cause: error });
    const fault = fileFault(error);
    if (fault !== undefined) throw new DatasetDamaged(id, 'manifest.json', fault, { cause: error });
    throw error;
  }
  return parseManifest(bytes, id);
}

/** Throws DatasetDamaged. */
export function parseManifest(bytes: Uint8Array, id: string): DatasetManifest {
  let value: Partial<DatasetManifest> | null;
  try {
    value = JSON.parse(Buffer.from(bytes).toString('utf8')) as Partial<DatasetManifest> | null;
  } catch (cause) {
    throw new DatasetDamaged(id, 'manifest.json', 'it is not JSON', { cause });
  }
  const fault = faultOf(value, id);
  if (fault) throw new DatasetDamaged(id, 'manifest.json', fault);
  return bounded(value as DatasetManifest);
}

const maxTextLength = 5000;
const maxWarnings = 200;
const maxFigures = 1000;

/** Whether a dataset has changed since this manifest, or no longer exists. */
export async function isReplaced(objects: ObjectStore, manifest: DatasetManifest): Promise<boolean> {
  try {
    return !sameState(manifest, await readManifest(objects, manifest.id));
  } catch (error) {
    if (error instanceof DatasetNotFound) return true;
    throw error;
  }
}

function sameState(one: DatasetManifest, other: DatasetManifest): boolean {
  return one.version === other.version && one.createdAt === other.createdAt && one.folder === other.folder;
}

/** Cuts texts of a manifest that exceed today's import limits: they go into responses unchanged. */
function bounded(manifest: DatasetManifest): DatasetManifest {
  const { catalogue, roles, warnings } = manifest;
  const texts = Object.entries(catalogue).map(([name, value]: [string, unknown]): [string, unknown] => [
    name,
    typeof value === 'string' ? cutText(value, name === 'description' ? maxTextLength : undefined) : value,
  ]);
  const fields = listedFields(roles);
  const shown = boundedNames(fields.map(([name]) => name));
  return {
    ...manifest,
    catalogue: Object.fromEntries(texts) as unknown as DatasetManifest['catalogue'],
    roles: {
      ...ownRoles(roles),
      metadata: Object.fromEntries(fields.map(([, column], place) => [shown[place]!, column])),
    },
    warnings: warnings.slice(0, maxWarnings).map(boundedCaution),
  };
}

/** Fields but those of ontology ids, which earlier imports listed beside their labels. */
function listedFields({ cellType, cluster, patient, metadata }: ColumnRoles): [string, string][] {
  const columns = new Set([cellType, cluster, patient, ...Object.values(metadata)]);
  return Object.entries(metadata).filter(([shown, column]) => {
    const labels = labelColumnOf(column);
    return shown !== column || labels === undefined || !columns.has(labels);
  });
}

/** Older imports stored the clusters of files without cell types as both: they are clusters. */
function ownRoles({ cellType, ...roles }: ColumnRoles): ColumnRoles {
  return cellType === undefined || cellType === roles.cluster ? roles : { cellType, ...roles };
}

function boundedCaution({ code, message, numbers }: Caution): Caution {
  const text = cutText(message, maxTextLength);
  if (numbers === undefined) return { code, message: text };
  const short = (figure: number | string) => (typeof figure === 'string' ? cutText(figure) : figure);
  const figures = Object.entries(numbers).map(([name, value]): [string, typeof value] => [
    name,
    Array.isArray(value) ? value.slice(0, maxFigures).map(short) : short(value as number | string),
  ]);
  return { code, message: text, numbers: Object.fromEntries(figures) };
}

function faultOf(value: Partial<DatasetManifest> | null, id: string): string | undefined {
  if (value === null || typeof value !== 'object' || value.format !== 'cellfolio-dataset') {
    return 'it is not the manifest of a dataset';
  }
  if (value.formatVersion !== formatVersion) return layoutFault(id, value.formatVersion);
  if (value.id !== id) return `it belongs to the dataset "${String(value.id)}"`;
  for (const name of ['cellCount', 'geneCount', 'valueCount'] as const) {
    if (!Number.isSafeInteger(value[name])) return `${name} is not a number`;
  }
  for (const name of ['version', 'createdAt'] as const) {
    if (typeof value[name] !== 'string') return `${name} is not text`;
  }
  for (const name of ['catalogue', 'roles', 'expression', 'warnings', 'files'] as const) {
    if (value[name] === null || typeof value[name] !== 'object') return `${name} is missing`;
  }
  for (const name of ['name', 'disease', 'subdisease', 'category1', 'category2', 'description'] as const) {
    if (typeof value.catalogue?.[name] !== 'string') return `catalogue.${name} is not text`;
  }
  const { metadata } = value.roles ?? {};
  if (typeof metadata !== 'object' || metadata === null) return 'roles.metadata is missing';
  if (!Array.isArray(value.warnings)) return 'warnings is not a list';
  // It becomes a part of keys.
  if (value.folder !== undefined && !/^[0-9a-z][0-9a-z-]{7,63}$/.test(String(value.folder)))
    return 'its folder is not one';
  for (const [path, file] of Object.entries(value.files ?? {})) {
    if (!Number.isSafeInteger(file?.size) || typeof file?.sha256 !== 'string')
      return `${path} has no checksum`;
    const { chunks } = file;
    const inside =
      chunks && chunks.count >= 0 && chunks.bytes > checksumBytes && chunks.count * chunks.bytes <= file.size;
    if (chunks && !(inside && Number.isSafeInteger(chunks.count) && Number.isSafeInteger(chunks.bytes)))
      return `${path} has chunks that do not fit its size`;
  }
  const whole = value as DatasetManifest;
  if (datasetVersion(whole.files, whole) !== whole.version)
    return 'its version is not the digest of its content';
  return undefined;
}

function layoutFault(id: string, version: unknown): string {
  const remedy = id.startsWith('custom:')
    ? 'remove it from Your files and upload its file again'
    : `create it again from its file: npm run cellfolio -- dataset add FILE --id ${id} --replace`;
  return `it has format version ${String(version)}, this version reads ${formatVersion}; ${remedy}`;
}

export function manifestBytes(manifest: DatasetManifest): Uint8Array {
  return Buffer.from(`${JSON.stringify(manifest)}\n`);
}
