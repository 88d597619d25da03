import { assetsUnsKey } from '@cellfolio/model';
import { namesAttribute, numbers, type PlannedNode, storedNames } from './encode-column.ts';
import { ShapeMismatch } from './errors.ts';
import type { ZarrReader } from './zarr-reader.ts';

/** Dict of byte arrays in AnnData. Each chunk of a mebibyte has its checksum, so that ranges are verified too. */
export const assetsPath = `uns/${assetsUnsKey}`;

export const assetLimits = {
  count: 1000,
  /** Size of one asset, which is in memory as a whole while it is written. */
  bytes: 256 * 2 ** 20,
} as const;

/** A file that belongs to a dataset and is not interpreted, such as an image, a table or polygons. */
export interface Asset {
  /** Unique in its dataset. */
  name: string;
  /** Bytes. */
  size: number;
}

export interface AssetSource extends Asset {
  read(): Uint8Array | Promise<Uint8Array>;
}

/** Throws ShapeMismatch for assets beyond the limits, of the same name, or of another size than stated. */
export async function* assetNodes(assets: readonly AssetSource[]): AsyncGenerator<PlannedNode> {
  if (assets.length > assetLimits.count)
    throw new ShapeMismatch(assetsPath, `${assets.length} assets; ${assetLimits.count} is the limit`);
  const stored = storedNames(assets.map(({ name }) => name));
  if (stored.size < assets.length) throw new ShapeMismatch(assetsPath, 'two assets have the same name');
  const renamed = [...stored].filter(([name, as]) => name !== as).map(([name, as]) => [as, name]);
  yield {
    kind: 'group',
    path: assetsPath,
    attributes: {
      'encoding-type': 'dict',
      'encoding-version': '0.1.0',
      ...(renamed.length > 0 && { [namesAttribute]: Object.fromEntries(renamed) }),
    },
  };
  for (const { name, size, read } of assets) {
    const path = `${assetsPath}/${stored.get(name)!}`;
    if (size > assetLimits.bytes)
      throw new ShapeMismatch(path, `${size} bytes; ${assetLimits.bytes} is the limit`);
    const bytes = await read();
    if (bytes.length !== size) throw new ShapeMismatch(path, `${bytes.length} bytes instead of ${size}`);
    yield numbers(path, 'uint8', bytes);
  }
}

/** Path of each asset by its name, in order of their names. */
export function assetPaths(nodes: ZarrReader): Map<string, string> {
  if (!nodes.has(assetsPath)) return new Map();
  const names = new Map(
    Object.entries((nodes.attributes(assetsPath)[namesAttribute] ?? {}) as Record<string, string>),
  );
  const paths = nodes.members(assetsPath).map((path): [string, string] => {
    const stored = path.slice(assetsPath.length + 1);
    return [names.get(stored) ?? stored, path];
  });
  return new Map(paths.sort(([a], [b]) => (a < b ? -1 : 1)));
}
