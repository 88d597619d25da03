import type { DatasetManifest } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { columnNames } from '../../runtime/column-names.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { quoted } from './labels.ts';

/**
 * Figures refer to columns of all kinds by name alone. Throws ApiFailure 409 for the name of a column of the dataset.
 */
export async function refuseColumn(
  datasets: OpenDatasets,
  manifest: DatasetManifest,
  name: string,
): Promise<void> {
  const names = columnNames(await datasets.get(manifest));
  if (!names.includes(name) && !Object.hasOwn(manifest.roles.metadata, name)) return;
  throw new ApiFailure(
    409,
    'annotation_exists',
    `The dataset already has a column ${quoted(name)}. Choose another name.`,
  );
}

/** Throws ApiFailure 409 when an annotation is at another revision or belongs to another version of the dataset. */
export function refuseOther(
  current: { name: string; revision: number; version: string },
  { revision, version }: { revision: number; version: string },
): void {
  if (current.revision !== revision) throw changedMeanwhile();
  if (current.version === version) return;
  throw new ApiFailure(
    409,
    'annotation_of_other_version',
    `${quoted(current.name)} belongs to another version of the dataset. Carry its labels over first.`,
  );
}

export function changedMeanwhile(): ApiFailure {
  return new ApiFailure(
    409,
    'annotation_changed',
    'The labels have been changed elsewhere. Check the current ones, then try again.',
  );
}

export async function orRefused<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, message, hint } = error as { code?: string; message: string; hint?: string };
    if (code === '23505') {
      const problem = `You already have a column ${quoted(name)} of this dataset. Choose another name.`;
      throw new ApiFailure(409, 'annotation_exists', problem, { cause: error });
    }
    if (code !== 'PT409') throw error;
    throw new ApiFailure(409, 'too_many_annotations', [message, hint].filter(Boolean).join(' '), {
      cause: error,
    });
  }
}
