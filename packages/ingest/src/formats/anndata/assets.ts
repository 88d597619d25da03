import { assetsUnsKey } from '@cellfolio/model';
import { assetLimits, type AssetSource } from '@cellfolio/store';
import type { Hdf5File } from '../../hdf5/hdf5-file.ts';

const maxNameLength = 255;
/** Bytes of all assets that a file of any size may hold. */
const harmlessBytes = 64 * 2 ** 20;

/** Byte arrays in `uns`, as an export writes the assets of a dataset; what is no asset is among the other parts. */
export function assetsOf(file: Hdf5File): AssetSource[] {
  const group = `uns/${assetsUnsKey}`;
  if (file.kind('uns') !== 'group' || file.kind(group) !== 'group') return [];
  // Links to one array, or packed zeros, would fill the disk.
  let free = Math.max(harmlessBytes, file.size);
  const members = file.children(group).slice(0, assetLimits.count);
  return members.flatMap((name): AssetSource[] => {
    const path = `${group}/${name}`;
    if (file.kind(path) !== 'dataset' || name.length > maxNameLength) return [];
    const info = file.dataset(path);
    const [size = 0] = info.shape;
    const isBytes = info.type.kind === 'number' && info.type.dtype === 'uint8' && info.shape.length === 1;
    if (!isBytes || size > assetLimits.bytes || size > free) return [];
    free -= size;
    return [{ name, size, read: () => file.numbers(info) as Uint8Array }];
  });
}

/** Members of the dict of assets that are none. */
export function otherAssets(file: Hdf5File, assets: readonly AssetSource[]): string[] {
  const group = `uns/${assetsUnsKey}`;
  if (file.kind('uns') !== 'group' || file.kind(group) !== 'group') return [];
  const imported = new Set(assets.map(({ name }) => name));
  return file
    .children(group)
    .filter((name) => !imported.has(name))
    .map((name) => `${group}/${name}`);
}
