import { fileKind } from '@/features/user-files/file-kind.ts';
import type { UserFile } from '@/features/user-files/user-file.ts';

/** Whether a choice is what a conversion takes: exactly one matrix and two metadata files. */
export function isConvertible(files: readonly Pick<UserFile, 'original_filename'>[]): boolean {
  const kinds = files.map(({ original_filename }) => fileKind(original_filename));
  return (
    kinds.length === 3 &&
    kinds.filter((kind) => kind === 'matrix').length === 1 &&
    kinds.filter((kind) => kind === 'metadata').length === 2
  );
}
