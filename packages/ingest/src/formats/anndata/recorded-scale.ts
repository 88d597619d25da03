import { decodeNumbers } from '../../hdf5/decode-elements.ts';
import type { Hdf5File } from '../../hdf5/hdf5-file.ts';
import type { DatasetFile } from '../dataset-file.ts';

/**
 * What `uns/log1p/base` says, which scanpy's `pp.log1p` writes: no base, or none given, is the natural one. Undefined
 * where there is no such record, `other` where its base is none of e, 2 and 10.
 */
export function recordedScale(file: Hdf5File): ReturnType<DatasetFile['recordedScale']> {
  if (file.kind('uns/log1p') !== 'group') return undefined;
  const base = 'uns/log1p/base';
  if (file.kind(base) !== 'dataset' || file.text(base, 'encoding-type') === 'null') return 'log1p';
  const info = file.dataset(base);
  if (info.type.kind !== 'number' || info.shape.length > 1 || info.shape[0] === 0) return 'log1p';
  const value = new Float64Array(1);
  const box = info.shape.length === 0 ? { start: [], count: [] } : { start: [0], count: [1] };
  file.read(info, box, (elements) => decodeNumbers(elements, info.type, value, 0));
  if (Math.abs(value[0]! - Math.E) < 1e-6) return 'log1p';
  if (value[0] === 2) return 'log2';
  return value[0] === 10 ? 'log10' : 'other';
}
