import { processingRecord } from '@cellfolio/contract';
import type { CatalogueEntry } from '@cellfolio/model';
import { customDatasetId } from '@cellfolio/store';
import { closeDatasetRecord } from '../file-records.ts';
import { endRun, LeaseLost, type Run, storableJson } from '../job-table.ts';
import type { BuildResult, BuildWork } from '../work/index.ts';
import { type JobFile, openInput, quotaRoom } from '../worker/job-inputs.ts';
import type { JobKindRules } from './job-kind.ts';
import { type RecordDeps, withRetries } from './record-file.ts';

/** Makes the dataset of a file. */
export const build: JobKindRules<BuildWork> = {
  lane: 'heavy',
  limitMs: 2 * 3600_000,
  isRestartable: false,
  async open(deps, run, context) {
    const file = await openInput(deps, run, context);
    const datasetId = customDatasetId(file.id);
    return {
      work: {
        kind: 'build',
        file: file.input,
        root: deps.objectRoot,
        datasetId,
        catalogue: catalogueEntryOf(file),
        columns: run.job.request.columns ?? {},
        processing: run.job.request.processing ?? {},
        combined: file.combined ?? undefined,
        isPart: file.part_of !== null,
        memoryBytes: deps.memoryBytes,
        maxCarried: await quotaRoom(deps, run, file.id),
      },
      record: (built, unlogged) => withRetries(() => recordDataset(deps, run, built, unlogged(built.notes))),
      afterwards: () => deps.onBuilt(datasetId),
    };
  },
  recordProblem: (client, { id }, problem) => closeDatasetRecord(client, id, problem),
  cancelledMessage: 'Building the dataset was canceled. Build it again when you need it.',
  // Before the owner's next build begins.
  onLost: ({ settleDataset }, { job }) => settleDataset(job.file_ids[0]!, job.id),
};

function catalogueEntryOf({ file_name, description, part_of: part }: JobFile): CatalogueEntry {
  return {
    name: file_name,
    disease: 'Custom Data',
    subdisease: 'Not Available',
    category1: '',
    category2: '',
    description: description ?? '',
    simulated: part?.simulated === true,
  };
}

/** Records a dataset that is already stored. Throws LeaseLost. */
async function recordDataset(
  { database }: Pick<RecordDeps, 'database'>,
  run: Run,
  result: BuildResult,
  notes: readonly string[],
): Promise<void> {
  const processed = result.processed && processingRecord.parse(result.processed);
  await database.transaction(async (client) => {
    await endRun(client, run, { notes });
    const { rowCount } = await client.query(
      `update cellfolio.custom_datasets
       set made_before = case when version = $2 then made_before else made_with end,
         made_with = jsonb_build_object('version', $2::text, 'columns', columns, 'processing', processing),
         version = $2, cells = $3, genes = $4, processed = $5::jsonb, warnings = $6, carried_bytes = $7, problem = null,
         updated_at = now()
       where job_id = $1`,
      [
        run.job.id,
        result.version,
        result.cells,
        result.genes,
        processed ? storableJson(processed) : null,
        result.notes,
        result.carriedBytes,
      ],
    );
    if (rowCount === 0) throw new LeaseLost();
  });
}
