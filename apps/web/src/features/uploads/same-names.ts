import { extensionOf, matrixPart } from '@cellfolio/contract';
import type { MatrixPart } from '@cellfolio/contract';
import { longDateTime } from '@/lib/format.ts';
import type { UserFile } from './user-files.ts';

type NamedFile = Pick<UserFile, 'file_name' | 'original_filename'>;

/** The owner's name with the extension of the file: 'treated_1_matrix.mtx.gz'. */
export function shownName({ file_name, original_filename }: NamedFile): string {
  return file_name.trim() + extensionOf(original_filename);
}

/** Sample and part of a matrix file, by its name; the sample is empty for `matrix.mtx` itself. */
export function partOfSample(file: NamedFile): { sample: string; part: MatrixPart['part'] } | undefined {
  const parsed = matrixPart(shownName(file));
  return parsed && { sample: parsed.prefix.replace(/[-_. ]+$/, ''), part: parsed.part };
}

/** Equal for files that names do not distinguish, regardless of compression. */
export function nameKey(file: NamedFile): string {
  const parsed = partOfSample(file);
  const name = parsed === undefined ? shownName(file) : `${parsed.sample}_${parsed.part}`;
  return name.replace(/\.gz$/i, '').toLowerCase();
}

export type FilesByName = ReadonlyMap<string, readonly UserFile[]>;

export function filesByName(files: readonly UserFile[]): FilesByName {
  return Map.groupBy(files, nameKey);
}

export function sameNamed(file: UserFile, byName: FilesByName): readonly UserFile[] {
  return (byName.get(nameKey(file)) ?? []).filter(({ id }) => id !== file.id);
}

const second = 1000;
const hour = 3_600_000;

export function doubtAbout(three: readonly UserFile[], byName: FilesByName) {
  const samples = three.flatMap((file) => partOfSample(file)?.sample.toLowerCase() ?? []);
  const differ = new Set(samples).size > 1;
  const namesMatch = samples.length === three.length && !differ && samples[0] !== '';
  const times = three.map(chosenAt);
  const apart = Math.max(...times) - Math.min(...times);
  const twins = three.map((file) => sameNamed(file, byName));
  let reason = '';
  if (differ) reason = 'Their names suggest different samples.';
  else if (twins.some(({ length }) => length > 0)) {
    // Files that are chosen together get times a millisecond apart.
    reason = `Other files have the same names, and these three were ${apart < 2 * second ? '' : 'not '}uploaded together.`;
  } else if (!namesMatch && apart > hour) reason = 'These three were not uploaded together.';
  if (reason === '') return null;
  return {
    reason,
    files: three.map((file, at) => {
      const others = twins[at]!.map(({ created_at }) => `another of ${longDateTime(created_at)}`);
      const more = others.length > 2 ? [`${others.length - 2} more`] : [];
      return [`${shownName(file)} of ${longDateTime(file.created_at)}`, ...others.slice(0, 2), ...more].join(
        '; ',
      );
    }),
  };
}

/** Time at which the file was chosen, from its path; independent of how long the upload took. */
function chosenAt({ file_path, created_at }: UserFile): number {
  return Number(/\/(\d{13})_/.exec(file_path)?.[1] ?? Date.parse(created_at));
}
