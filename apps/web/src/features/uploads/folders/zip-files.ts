import { Zip, ZipPassThrough } from 'fflate';
import { PieceBlobs } from '@/lib/files.ts';
import type { FolderPlan } from './folder-plan.ts';

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
  const pieces = new PieceBlobs();
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    pieces.add(piece as Uint8Array<ArrayBuffer>);
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
  return [...pieces.blobs()];
}
