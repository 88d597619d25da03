import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { NamedFile } from '../../matrix-market/convert-matrix-market.ts';
import { openZip } from '../zip-file.ts';

/** Files of an output folder, or of a zip file of it, which are unpacked when they are asked for. */
export interface OutputFiles extends AsyncDisposable {
  /** A file on the disk, by its path within the folder. Throws H5adError. */
  file: (path: string) => Promise<NamedFile>;
}

/** Cell Ranger's own folders nest six. */
const maxDepth = 8;
/** A folder with more is no output of one sample. */
export const maxPaths = 10_000;

/** Paths of the files in a folder, separated by `/`; links are not followed. */
export async function pathsInFolder(folder: string): Promise<string[]> {
  const paths: string[] = [];
  const add = async (below: string, depth: number): Promise<void> => {
    for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
      if (paths.length > maxPaths) return;
      const path = below + entry.name;
      if (entry.isFile() || (depth === 0 && entry.isSymbolicLink())) paths.push(path);
      else if (entry.isDirectory() && depth < maxDepth) await add(`${path}/`, depth + 1);
    }
  };
  await add('', 0);
  return paths;
}

export function filesOfFolder(folder: string): OutputFiles {
  return {
    file: (path) => Promise.resolve({ path: join(folder, path), name: path }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** The names in the zip file are not used on the disk but for their ends. */
export async function filesOfZip(path: string, scratch: string): Promise<OutputFiles> {
  const zip = await openZip(path);
  await mkdir(scratch, { recursive: true });
  let count = 0;
  return {
    file: async (name) => {
      const end = basename(name)
        .replaceAll(/[^\w.-]/g, '_')
        .slice(-100);
      const unpacked = join(scratch, `${count++}-${end}`);
      await using handle = await open(unpacked, 'wx', 0o600);
      await zip.unpack(name, handle);
      return { path: unpacked, name };
    },
    [Symbol.asyncDispose]: async () => {
      await zip.close();
      await rm(scratch, { recursive: true, force: true });
    },
  };
}
