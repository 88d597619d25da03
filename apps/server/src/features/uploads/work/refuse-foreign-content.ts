import { open } from 'node:fs/promises';
import { uploadKind } from '@cellfolio/contract/work';
import { foreignContent, foreignText } from '@cellfolio/ingest';
import { plainName, WorkFailed } from './failures.ts';
import type { InputFile } from './work.ts';

/** First bytes of file types that are uploaded by mistake, in Latin-1. */
const fileSignatures: readonly (readonly [start: string, what: string])[] = [
  ['\u0089PNG', 'a PNG picture'],
  ['\u00ff\u00d8\u00ff', 'a JPEG picture'],
  ['GIF8', 'a GIF picture'],
  ['RIFF', 'a picture or a recording'],
  ['II*\0', 'a TIFF picture'],
  ['MM\0*', 'a TIFF picture'],
  ['%PDF', 'a PDF document'],
  ['<!doctype html', 'a web page'],
  ['<html', 'a web page'],
  ['\u0089HDF', 'an HDF5 file'],
];
const archiveSignatures: readonly (readonly [start: string, what: string])[] = [
  ['\u001f\u008b', 'gzip'],
  ['PK\u0003\u0004', 'zip'],
  ['BZh', 'bzip2'],
  ['\u00fd7zXZ', 'xz'],
  ['\u0028\u00b5\u002f\u00fd', 'zstd'],
  ['7z\u00bc\u00af', '7z'],
  ['Rar!', 'rar'],
];

/** Throws WorkFailed when a file is empty or its content clearly contradicts its name. */
export async function refuseForeignContent({ path, name }: InputFile): Promise<void> {
  const head = await firstBytes(path, name);
  const kind = uploadKind(name);
  const hdf5 = kind?.content === 'hdf5';
  const file = plainName(name);
  if (head === '') {
    throw new WorkFailed('empty', `${file} is empty. Check the file and upload it again.`);
  }
  const expected = kind?.title ?? 'what its name says';
  const foreign = hdf5 ? foreignContent(path) : kind?.content === 'text' ? foreignText(path) : undefined;
  if (foreign !== undefined && !foreign.packed) {
    throw new WorkFailed('foreign_content', `${file} is ${foreign.what}, not ${expected}. ${foreign.hint}`);
  }
  const starts = ([start]: readonly [string, string]) => head.toLowerCase().startsWith(start.toLowerCase());
  const what = fileSignatures.find(starts)?.[1];
  if (what !== undefined && !(hdf5 && what === 'an HDF5 file')) {
    throw new WorkFailed(
      'foreign_content',
      `${file} is ${what}, not ${expected}. Delete it and upload the right file.`,
    );
  }
  const archive = archiveSignatures.find(starts)?.[1];
  if (kind?.content === 'r') {
    // Text and other packings of R are refused by its reader, which says how to save the object.
    if (archive !== undefined || /^(?:[XAB]\n|RDX)/.test(head)) return;
    throw new WorkFailed(
      'foreign_content',
      `${file} is not a file of saveRDS(), so not ${expected}. Save the object again in R and upload that.`,
    );
  }
  if (kind?.content === 'zip') {
    if (archive === 'zip') return;
    throw new WorkFailed(
      'foreign_content',
      `${file} is not a zip file, so not ${expected}. Pack it again and upload that.`,
    );
  }
  // It is unpacked while it is read, as Cell Ranger packs text.
  if (archive !== undefined && archive !== 'gzip') {
    throw new WorkFailed('packed', `${file} is packed (${archive}). Unpack it and upload ${expected}.`);
  }
}

async function firstBytes(path: string, name: string): Promise<string> {
  try {
    await using handle = await open(path);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } catch (cause) {
    throw new WorkFailed('not_found', `${plainName(name)} no longer exists. Upload it again.`, {
      cause,
    });
  }
}
