import { createWriteStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { fileHead } from '../foreign-content.ts';
import type { NamedFile } from '../matrix-market/convert-matrix-market.ts';
import { readChunks } from '../matrix-market/read-text.ts';
import type { Conversion, ConversionOptions, Converted, FirstLook } from './conversion.ts';
import { longTable } from './long-table/convert-long-table.ts';
import { rds } from './rds/convert-rds.ts';
import { textTable } from './text-table/convert-text-table.ts';
import { pipelineOutput } from './pipeline-output/convert-pipeline-output.ts';
import { pathsInFolder } from './pipeline-output/output-files.ts';
import { isZarr, zarr } from './zarr/convert-zarr.ts';
import { openZip } from './zip-file.ts';

/** Gzipped HDF5 files of any format: HDF5 needs random access, which gzip does not allow. */
const packedHdf5: Conversion = {
  title: 'an HDF5 file packed with gzip',
  recognises: ({ packed, head }) => packed && head.toString('latin1', 0, 4) === '\u0089HDF',
  convert: async ({ path }, output, { signal, onProgress }) => {
    const bytes = readChunks(path, { signal, onBytes: (read, all) => onProgress?.(read / all) });
    await pipeline(bytes, createWriteStream(output, { mode: 0o600 }));
    return { notes: [] };
  },
};

/** Tried in this order; an unrecognised file is opened as it is, which reports what is wrong with it. */
const conversions: readonly Conversion[] = [packedHdf5, pipelineOutput, zarr, rds, longTable, textTable];

export interface ReadableFile extends Converted {
  readonly path: string;
  /** Source format, such as `a table of text`; undefined for the file itself. */
  readonly madeFrom: string | undefined;
}

/**
 * The file itself if datasets are read from its format, else one converted to `output`. Leaves nothing there on
 * failure. Throws as conversions do.
 */
export async function readableFile(
  file: NamedFile,
  output: string,
  options: ConversionOptions = {},
): Promise<ReadableFile> {
  const look = await firstLook(file);
  const conversion = look && conversions.find(({ recognises }) => recognises(look));
  if (conversion === undefined) return { path: file.path, madeFrom: undefined, notes: [] };
  try {
    const converted = await conversion.convert(file, output, options, look!);
    return { path: output, madeFrom: conversion.title, ...converted };
  } catch (error) {
    await rm(output, { force: true });
    throw error;
  }
}

async function firstLook(file: NamedFile): Promise<FirstLook | undefined> {
  const stats = await stat(file.path).catch(() => undefined);
  if (stats?.isDirectory() === true) {
    const folder = await readdir(file.path);
    const inside = isZarr(folder) ? folder : await pathsInFolder(file.path);
    return { file, folder, inside, packed: false, head: Buffer.alloc(0) };
  }
  const head = fileHead(file.path);
  if (head === undefined) return undefined;
  const isZip = head.head.toString('latin1', 0, 4) === 'PK\u0003\u0004';
  return { file, folder: undefined, inside: isZip ? await pathsInZip(file.path) : [], ...head };
}

async function pathsInZip(path: string): Promise<readonly string[]> {
  const zip = await openZip(path);
  await zip.close();
  return [...zip.names];
}
