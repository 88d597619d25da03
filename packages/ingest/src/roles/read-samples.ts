import {
  type CategoricalColumn,
  type Column,
  type Table,
  mixingCaution,
  sampleMixing,
  type Caution,
  type ProcessingRecord,
} from '@cellfolio/model';
import { openDatasetFile } from '../formats/open-dataset-file.ts';
import { byPreference, unknownColumn, type ObsRoles } from './detect-obs-roles.ts';
import { maxCategories as MOST_SAMPLES, toCategorical } from './to-categorical.ts';

/** From narrow to wide: cells prepared and sequenced together share their quality. */
const names = [
  'sample',
  'sample_id',
  'sample_name',
  'samples',
  'library',
  'library_id',
  'channel',
  'gem_id',
  'gem_well',
  'lane',
  'orig_ident',
  'batch',
  'batch_id',
  'replicate',
  'donor',
  'donor_id',
  'patient',
  'patient_id',
  'individual',
  'individual_id',
  'subject',
  'subject_id',
  'participant',
  'participant_id',
  'mouse_id',
];

export interface SampleColumns {
  /** Detected or named column; absent if there is none, or none was wanted. */
  readonly column?: string;
  /** Codes of each cell's sample, -1 for none. */
  readonly samples?: Pick<CategoricalColumn, 'codes' | 'categories'>;
  /** obs columns that could hold samples, those named as samples first. */
  readonly columns: readonly string[];
}

/**
 * Reads the samples of a file: those of column `requested`, none for `null`, else those of the column whose name matches.
 * Throws H5adError, `unknown-column` for a column that is missing or has too many values to hold samples.
 */
export async function readSamples(path: string, requested?: string | null): Promise<SampleColumns> {
  const file = await openDatasetFile(path);
  try {
    const { table } = file.table(file.obsPath, 'obs');
    const columns = sampleColumns(table);
    if (requested === null) return { columns };
    if (requested !== undefined && !columns.includes(requested))
      throw unknownColumn(path, 'obs', requested, 'sample', columns);
    const column = requested ?? byPreference(columns, names)[0];
    if (column === undefined) return { columns };
    return { column, samples: toCategorical(table.columns.get(column)!)!, columns };
  } finally {
    file.hdf5.close();
  }
}

function sampleColumnOf({ columns }: Table): string | undefined {
  return byPreference([...columns.keys()], names).find((name) => fits(columns.get(name)!));
}

/** Categories, texts and whole numbers with few distinct values, but more than one. */
function sampleColumns({ columns }: Table): string[] {
  const fitting = [...columns].flatMap(([name, column]) => (fits(column) ? [name] : []));
  return [...new Set([...byPreference(fitting, names), ...fitting])];
}

function fits(column: Column): boolean {
  const categorical = toCategorical(column);
  return (
    categorical !== undefined &&
    categorical.categories.length > 1 &&
    categorical.categories.length <= MOST_SAMPLES
  );
}

/**
 * Says where the samples of a dataset do not share its clusters: those that tests take, the patients, first. `processing` tells what is known of the neighbours of cells, and whether samples were integrated.
 */
export function mixingCautions(
  table: Table,
  { chosen }: Pick<ObsRoles, 'chosen'>,
  processing: Pick<ProcessingRecord, 'mixing' | 'samples'> = {},
): Caution[] {
  const { mixing: near, samples: combined } = processing;
  const integrated = combined?.integration && {
    method: combined.integration.method,
    over: combined.batchColumn!,
  };
  const { columns } = table;
  const { cluster, patient } = chosen;
  const clusters = cluster === undefined ? undefined : toCategorical(columns.get(cluster)!);
  if (clusters === undefined) return [];
  const tested = patient ?? near?.column;
  for (const column of new Set([patient, near?.column, sampleColumnOf(table)])) {
    const samples = column === undefined || column === cluster ? undefined : columns.get(column);
    const codes = samples && toCategorical(samples);
    const mixing = codes && sampleMixing(clusters, codes);
    const caution =
      mixing &&
      mixingCaution(mixing, column!, {
        near: near?.column === column ? near : undefined,
        integrated,
        tested,
      });
    if (caution !== undefined) return [caution];
  }
  return [];
}
