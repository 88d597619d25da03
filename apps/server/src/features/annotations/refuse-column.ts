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
