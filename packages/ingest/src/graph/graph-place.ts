import { cutText, type GraphOrigin, stringAt } from '@cellfolio/model';
import { H5adError } from '../h5ad-error.ts';
import { decodeNumbers } from '../hdf5/decode-elements.ts';
import type { Hdf5File } from '../hdf5/hdf5-file.ts';

export interface GraphPlace {
  connectivities: string;
  distances: string;
  origin: GraphOrigin;
  /** All paths that belong to it, in the form of `DatasetFile.otherParts`. */
  parts: readonly string[];
}

const record = 'uns/neighbors';
const maxTextLength = 60;

/**
 * Graph named by `uns/neighbors`, or scanpy's default location: obsp, before anndata 0.7 uns. Undefined without a
 * readable graph.
 */
export function graphPlace(file: Hdf5File): GraphPlace | undefined {
  try {
    return placeOf(file);
  } catch (error) {
    if (error instanceof H5adError) return undefined;
    throw error;
  }
}

function placeOf(file: Hdf5File): GraphPlace | undefined {
  const isRecorded = file.kind('uns') === 'group' && file.kind(record) === 'group';
  const named = (part: string) => (isRecorded && textAt(file, `${record}/${part}_key`)) || part;
  const [connectivities, distances] = [named('connectivities'), named('distances')];
  const places = [
    ...(file.kind('obsp') === 'group' ? [{ group: 'obsp', connectivities, distances }] : []),
    ...(isRecorded ? [{ group: record, connectivities: 'connectivities', distances: 'distances' }] : []),
  ];
  const place = places.find(({ group, connectivities: name }) => file.kind(`${group}/${name}`) === 'group');
  if (place === undefined) return undefined;
  const paths = [`${place.group}/${place.connectivities}`, `${place.group}/${place.distances}`] as const;
  return {
    connectivities: paths[0],
    distances: paths[1],
    origin: isRecorded ? originOf(file) : {},
    parts: [...paths, record],
  };
}

function originOf(file: Hdf5File): GraphOrigin {
  const params = `${record}/params`;
  if (file.kind(params) !== 'group') return {};
  const components = countAt(file, `${params}/n_pcs`);
  const metric = textAt(file, `${params}/metric`);
  const representation = textAt(file, `${params}/use_rep`);
  return {
    ...(components !== undefined && { components }),
    ...(metric !== undefined && { metric }),
    ...(representation !== undefined && { representation }),
  };
}

function textAt(file: Hdf5File, path: string): string | undefined {
  if (file.kind(path) !== 'dataset') return undefined;
  const info = file.dataset(path);
  if (info.type.kind !== 'string' || info.shape.some((length) => length !== 1)) return undefined;
  return cutText(stringAt(file.strings(info), 0), maxTextLength);
}

function countAt(file: Hdf5File, path: string): number | undefined {
  if (file.kind(path) !== 'dataset') return undefined;
  const info = file.dataset(path);
  if (info.type.kind !== 'number' || info.shape.some((length) => length !== 1)) return undefined;
  const value = new Float64Array(1);
  const box = { start: info.shape.map(() => 0), count: [...info.shape] };
  file.read(info, box, (elements) => decodeNumbers(elements, info.type, value, 0));
  return Number.isSafeInteger(value[0]) && value[0]! > 0 ? value[0] : undefined;
}
