import { isDatasetFile, matrixPart } from '@cellfolio/contract';
import type { RemoteFile } from './linked-datasets.ts';

export interface FileGroup {
  /** Name of the file, or the common prefix of a matrix and its tables. */
  name: string;
  files: readonly RemoteFile[];
}

/** Formats accepted here in addition to those of uploads. */
const table = /\.(?:tsv|txt)(?:\.gz)?$/i;

/** Groups files into matrices with their tables, by common prefix, dataset files, and others, each with the reason. */
export function groupFiles(files: readonly RemoteFile[]) {
  const matrices = new Map<string, Map<string, RemoteFile>>();
  const groups: FileGroup[] = [];
  const unreadable: string[] = [];
  for (const file of files) {
    const named = matrixPart(file.name);
    if (named !== undefined) {
      const ofMatrix = matrices.get(named.prefix) ?? new Map<string, RemoteFile>();
      matrices.set(named.prefix, ofMatrix.set(named.part, file));
    } else if (isDatasetFile(file.name) || table.test(file.name)) {
      groups.push({ name: file.name, files: [file] });
    } else {
      unreadable.push(`${file.name} (${whyNot(file.name)})`);
    }
  }
  for (const [prefix, parts] of matrices) {
    const missing = ['matrix.mtx', 'barcodes.tsv', 'features.tsv'].filter((part) => !parts.has(part));
    const name = prefix.replace(/[/_.-]+$/, '') || 'matrix.mtx';
    if (missing.length === 0) groups.push({ name, files: [...parts.values()] });
    else unreadable.push(`${name} (it lacks ${missing.join(' and ')})`);
  }
  return { groups: groups.toSorted((a, b) => a.name.localeCompare(b.name, 'en')), unreadable };
}

function whyNot(name: string): string {
  if (/_RAW\.tar$/i.test(name)) return 'the files of the samples as one archive';
  if (/\.(?:tar|tgz|zip)(?:\.gz)?$/i.test(name))
    return 'an archive: download and unpack it, then add its files';
  return 'no format that can be read';
}
