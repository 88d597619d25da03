import { Zip, ZipPassThrough } from 'fflate';
import type { FolderPlan } from './folder-plan.ts';

/** Pieces are passed to the browser in blobs of this size, which it keeps on disk. */
const blobBytes = 16 * 1024 * 1024;

/** Each pack as a .zip file, not compressed, equal bytes for equal files. */
export async function zipFiles(
  packs: FolderPlan['packed'],
  fileOf: (path: string) => Promise<File>,
): Promise<File[]> {
  const files: File[] = [];
  for (const { name, paths } of packs) {
    const members: [string, File][] = [];
    for (const path of paths) members.push([path, await fileOf(path)]);
    const lastModified = Math.max(...members.map(([, file]) => file.lastModified));
    files.push(new File(await zipped(members), name, { lastModified }));
  }
  return files;
}

async function zipped(members: readonly (readonly [path: string, file: File])[]): Promise<Blob[]> {
  const blobs: Blob[] = [];
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  let loose = 0;
  const settle = () => {
    blobs.push(new Blob(pieces));
    [pieces, loose] = [[], 0];
  };
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    pieces.push(piece as Uint8Array<ArrayBuffer>);
    loose += piece.length;
    if (loose >= blobBytes) settle();
  });
  for (const [path, file] of members) {
    const entry = new ZipPassThrough(path);
    // A time of its own would make other bytes of the same files.
    entry.mtime = '2000-01-01';
    zip.add(entry);
    const reader = file.stream().getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) entry.push(next.value);
    entry.push(new Uint8Array(0), true);
  }
  zip.end();
  settle();
  return blobs;
}
