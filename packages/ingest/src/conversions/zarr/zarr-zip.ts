import { foreignContent } from '../../foreign-content.ts';
import { H5adError } from '../../h5ad-error.ts';
import { openZip } from '../zip-file.ts';
import { unpackedShards } from './unpacked-shards.ts';
import type { ZarrFiles } from './zarr-files.ts';

/**
 * A zip file of a Zarr hierarchy, at its root or in a folder. Packed shards are unpacked beside `scratch`. Throws
 * H5adError `not-hdf5` if it contains no Zarr, and as `openZip` does.
 */
export async function zarrZip(path: string, scratch: string): Promise<ZarrFiles> {
  const zip = await openZip(path);
  const root = rootOf(zip.names);
  if (root === undefined) {
    await zip.close();
    throw notZarr(path);
  }
  const folders = foldersOf(zip.names, root);
  const shards = unpackedShards(path, zip, scratch);
  return {
    path,
    bytes: zip.bytes,
    get: (key, range) => {
      const name = root + key;
      return range === undefined || !zip.names.has(name) || zip.isStored(name)
        ? zip.get(name, range)
        : shards.get(name, range);
    },
    names: (key) => Promise.resolve([...(folders.get(key) ?? [])]),
    close: async () => {
      await shards.close();
      await zip.close();
    },
  };
}

/** Folder of the hierarchy: that of the metadata with the shortest path. */
function rootOf(names: Iterable<string>): string | undefined {
  let root: string | undefined;
  for (const name of names) {
    const [, folder] = /^((?:.*\/)?)(?:\.zgroup|zarr\.json)$/.exec(name) ?? [];
    if (folder !== undefined && (root === undefined || folder.length < root.length)) root = folder;
  }
  return root;
}

/** Eight groups, plus `c/0/0` below the last. */
const maxNameParts = 12;

function foldersOf(names: Iterable<string>, root: string): Map<string, Set<string>> {
  const folders = new Map<string, Set<string>>();
  for (const name of names) {
    if (!name.startsWith(root)) continue;
    const parts = name.slice(root.length).split('/');
    // Deeper ones are neither members of a group that is read nor chunks of one.
    for (let depth = 0; depth < Math.min(parts.length, maxNameParts); depth++) {
      if (parts[depth] === '') continue;
      const folder = parts.slice(0, depth).join('/');
      const children = folders.get(folder) ?? new Set<string>();
      folders.set(folder, children.add(parts[depth]!));
    }
  }
  return folders;
}

function notZarr(path: string): H5adError {
  const foreign = foreignContent(path);
  return new H5adError({
    code: 'not-hdf5',
    path,
    part: '',
    problem: `this is ${foreign?.what ?? 'a zip file'}, and it holds no AnnData-Zarr (no .zgroup and no zarr.json) and no output of a pipeline (no matrix.mtx).`,
    hint: foreign?.hint ?? 'Unpack it, and use the file inside.',
  });
}
