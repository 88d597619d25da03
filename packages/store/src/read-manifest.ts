import { boundedNames, cutText, type Caution, type ColumnRoles } from '@cellfolio/model';
import { manifestKey } from './dataset-id.ts';
import { fileFault, ObjectNotFound, type ObjectStore } from '@cellfolio/bytes';
import { DatasetDamaged, DatasetNotFound } from './errors.ts';
import { datasetVersion } from './dataset-version.ts';
import { type DatasetManifest, formatVersion } from './manifest.ts';

/** The manifest of a dataset. Throws InvalidDatasetId, DatasetNotFound, DatasetDamaged. */
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

const longestText = 5000;
const mostWarnings = 200;
const mostFigures = 1000;

/** The texts of a manifest, cut where no import of today would write them: they go into answers as they are. */
function bounded(manifest: DatasetManifest): DatasetManifest {
  const { catalogue, roles, warnings } = manifest;
  const texts = Object.entries(catalogue).map(([name, value]: [string, unknown]): [string, unknown] => [
    name,
    typeof value === 'string' ? cutText(value, name === 'description' ? longestText : undefined) : value,
  ]);
  const fields = Object.entries(roles.metadata);
  const shown = boundedNames(fields.map(([name]) => name));
  return {
    ...manifest,
    catalogue: Object.fromEntries(texts) as unknown as DatasetManifest['catalogue'],
    roles: {
      ...ownRoles(roles),
      metadata: Object.fromEntries(fields.map(([, column], place) => [shown[place]!, column])),
    },
    warnings: warnings.slice(0, mostWarnings).map(boundedCaution),
  };
}

/** Where a file had no cell types, its clusters once were written as both: they are clusters. */
function ownRoles({ cellType, ...roles }: ColumnRoles): ColumnRoles {
  return cellType === undefined || cellType === roles.cluster ? roles : { cellType, ...roles };
}

function boundedCaution({ code, message, numbers }: Caution): Caution {
  const text = cutText(message, longestText);
  if (numbers === undefined) return { code, message: text };
  const short = (figure: number | string) => (typeof figure === 'string' ? cutText(figure) : figure);
  const figures = Object.entries(numbers).map(([name, value]): [string, typeof value] => [
    name,
    Array.isArray(value) ? value.slice(0, mostFigures).map(short) : short(value as number | string),
  ]);
  return { code, message: text, numbers: Object.fromEntries(figures) };
}

/** What is wrong with a manifest, checked as far as this package relies on it. */
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
  }
  const whole = value as DatasetManifest;
  if (datasetVersion(whole.files, whole) !== whole.version)
    return 'its version is not the digest of its content';
  return undefined;
}

function layoutFault(id: string, version: unknown): string {
  const remedy = id.startsWith('custom:')
    ? 'remove it from Your files and upload its file again'
    : `make it anew from its file: npm run cellfolio -- dataset add FILE --id ${id} --replace`;
  return `it has format version ${String(version)}, this version reads ${formatVersion}; ${remedy}`;
}
