import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import type { Database } from '@cellfolio/platform';
import { ApiFailure } from '../../../runtime/api-failure.ts';
import { AnnotationColumns } from '../../annotations/index.ts';
import type { Run } from '../job-table.ts';
import type { UserSubsetColumn } from '../work/write-subset.ts';
import type { SubsetWork } from '../work/work.ts';

export type SubsetInput = Pick<SubsetWork, 'parent' | 'cells' | 'ownColumns'>;

/**
 * Reads the cells of a job, and writes the owner's columns beside those of the dataset into the run's folder. Labels
 * that were changed since the job was requested, and whose revision is no longer stored, are left out and reported.
 */
export async function subsetInput(
  database: Database,
  { job }: Run,
  { scratch, log }: { scratch: string; log: (text: string) => void },
): Promise<SubsetInput> {
  const { rows } = await database.pool.query<{ cells: string }>(
    'select cells from cellfolio.job_cells where job_id = $1',
    [job.id],
  );
  const { subset } = job.request;
  if (!rows[0] || !subset) throw new Error(`The job ${job.id} has no cells.`);
  const { dataset_filename: id, version, name } = subset.part;
  const columns: UserSubsetColumn[] = [];
  const annotations = new AnnotationColumns(database);
  for (const annotation of subset.annotations) {
    try {
      const [ownColumn] = await annotations.storedColumns(job.user_id, { id, version }, [annotation]);
      if (ownColumn) columns.push({ name: ownColumn.name, column: unshared(ownColumn.column) });
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      log(`Your labels ${annotation.name} have been changed and are left out.`);
    }
  }
  const ownColumns = join(scratch, 'own-columns');
  await writeFile(ownColumns, serialize(columns), { mode: 0o600 });
  return { parent: { id, version, name }, cells: rows[0].cells, ownColumns };
}

/** Shared memory cannot be serialised. */
function unshared(column: UserSubsetColumn['column']): UserSubsetColumn['column'] {
  if (column.kind === 'categorical') {
    const { codes } = column;
    return { ...column, codes: codes instanceof Int8Array ? Int8Array.from(codes) : Int16Array.from(codes) };
  }
  return column.kind === 'numeric' ? { ...column, values: Float64Array.from(column.values) } : column;
}
