import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { countText } from '@cellfolio/model';
import type { Database } from '@cellfolio/platform';
import { ApiFailure } from '../../../runtime/api-failure.ts';
import { unshared } from '../../../runtime/compute/own-columns.ts';
import { AnnotationColumns } from '../../annotations/index.ts';
import { type Run, storableJson } from '../job-table.ts';
import type { SubsetWork } from '../work/index.ts';
import type { UserSubsetColumn } from '../work/write-subset.ts';
import type { JobKindRules } from './job-kind.ts';
import { annDataFile, recordNewFile } from './record-file.ts';

/** Makes an AnnData file of some cells of a dataset; records the dataset they came from. */
export const subset: JobKindRules<SubsetWork> = {
  lane: 'heavy',
  limitMs: 2 * 3600_000,
  isRestartable: true,
  async open(deps, run, { scratch, signal, progress }) {
    const { subset: request } = run.job.request;
    const input = await subsetInput(deps.database, run, { scratch, log: (text) => progress.log(text) });
    const { part, processing } = request!;
    const output = join(scratch, 'subset.h5ad');
    return {
      work: {
        kind: 'subset',
        root: deps.objectRoot,
        ...input,
        processing,
        memoryBytes: deps.memoryBytes,
        output,
      },
      record: ({ columns, notes }, unlogged) =>
        recordNewFile(deps, run, {
          ...annDataFile(run),
          description: `Part of ${part.name}: ${countText(part.cells)} of ${countText(part.of_cells)} cells, ${part.definition}`,
          notes: unlogged(notes),
          path: output,
          signal,
          choices: { columns, processing },
          also: async (client, fileId) => {
            await client.query(
              'insert into cellfolio.subclusterings (file_id, parent_id, record) values ($1, $2, $3::jsonb)',
              [fileId, part.dataset_filename, storableJson(part)],
            );
          },
        }),
    };
  },
};

/**
 * Reads the cells of a job, and writes the owner's columns beside those of the dataset into the run's folder. Labels
 * that were changed since the job was requested, and whose revision is no longer stored, are left out and reported.
 */
async function subsetInput(
  database: Database,
  { job }: Run,
  { scratch, log }: { scratch: string; log: (text: string) => void },
): Promise<Pick<SubsetWork, 'parent' | 'cells' | 'ownColumns'>> {
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
      const [ownColumn] = await annotations.storedColumns(job.owner_id, { id, version }, [annotation]);
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
