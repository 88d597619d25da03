import { fileKind } from './files/file-kind.ts';
import type { UserFile } from './files/user-file.ts';

/** Whether a choice is what a conversion takes: exactly one matrix and two metadata files. */
export function isConvertible(files: readonly Pick<UserFile, 'original_filename'>[]): boolean {
  const kinds = files.map(({ original_filename }) => fileKind(original_filename));
  return (
    kinds.length === 3 &&
    kinds.filter((kind) => kind === 'matrix').length === 1 &&
    kinds.filter((kind) => kind === 'metadata').length === 2
  );
}

/** The most characters that the name of a converted file may have. */
export const longestConvertedName = 100;

/**
 * What the file made of three is called before anybody names it: what their names have in common, such as
 * 'GSE1_tumour' of 'GSE1_tumour_matrix' and its tables, else the name of the matrix without that word.
 */
export function suggestedName(files: readonly Pick<UserFile, 'file_name' | 'original_filename'>[]): string {
  const matrix = files.find(({ original_filename }) => fileKind(original_filename) === 'matrix');
  const common = trimmed(commonStart(files.map(({ file_name }) => file_name.trim())));
  const own = trimmed((matrix?.file_name ?? '').replace(/(^|[-_. ]+)matrix$/i, ''));
  const name = Array.from(common).length > 2 ? common : own;
  return (
    Array.from(name)
      .slice(0, longestConvertedName / 2)
      .join('')
      .trim() || 'Converted dataset'
  );
}

function commonStart([first = '', ...others]: readonly string[]): string {
  let length = first.length;
  for (const other of others) {
    while (!other.toLowerCase().startsWith(first.slice(0, length).toLowerCase())) length -= 1;
  }
  return first.slice(0, length).toWellFormed();
}

function trimmed(text: string): string {
  return text.replace(/^[-_. ]+|[-_. ]+$/g, '');
}
