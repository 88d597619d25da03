import {
  type ColumnChoice,
  type FileReport,
  fileReport,
  type JobProblem,
  processingRecord,
} from '@cellfolio/contract';
import type { BlobStore } from '@cellfolio/bytes';
import { type OwnFileContext, StorageError, storeOwnFile } from '@cellfolio/platform';
import type { Database } from '@cellfolio/platform';
import type { Client } from '../client.ts';
import { closeDatasetRecord, closeFileReport, openDatasetRecord } from '../dataset-record.ts';
import type { JobRequest } from '../job-row.ts';
import { insertJob } from '../new-job.ts';
import type { JobQueue } from '../queue/job-queue.ts';
import { storableJson, storableText } from '../storable-json.ts';
import { type BuildResult, plainName } from '../work/index.ts';
import { storedName } from './stored-name.ts';
import { appendedLog, type Run } from './run-record.ts';

export interface RecordParts {
  readonly database: Database;
  readonly queue: JobQueue;
  readonly blobs: BlobStore;
  readonly storage: Pick<OwnFileContext, 'settings' | 'log' | 'now'>;
}

/** The job was cancelled, handed to somebody else, or its file is gone: nothing of the run counts. */
export class RunLost extends Error {
  override readonly name = 'RunLost';

  constructor() {
    super('The job is no longer this run’s.');
  }
}

/** What the inspection found, and the dataset that follows from it. All or nothing; throws RunLost. */
export async function recordReport(
  { database, queue }: RecordParts,
  run: Run,
  found: FileReport,
): Promise<void> {
  const parsed = fileReport.parse(found);
  const { job, claim } = run;
  const fileId = job.file_ids[0]!;
  const { columns, processing, gone } = choicesIn(parsed, job.request);
  const report = parsed.kind === 'h5ad' ? { ...parsed, choices: { columns, processing } } : parsed;
  await database.transaction(async (client) => {
    await endRun(client, run, gone);
    const { rows } = await client.query<{ file_name: string; dataset: string | null }>(
      `select f.file_name, d.state as dataset from public.user_files f
       left join cellfolio.custom_datasets d on d.file_id = f.id
       where f.id = $1 for key share of f`,
      [fileId],
    );
    if (!rows[0]) throw new RunLost();
    await client.query(
      `insert into cellfolio.file_reports (file_id, report) values ($1, $2::jsonb)
       on conflict (file_id) do update set report = excluded.report, problem = null, inspected_at = now()`,
      [fileId, storableJson(report)],
    );
    // Nothing is made of a file whose owner has a question to answer.
    if (report.kind === 'h5ad' && report.waitsFor.length === 0 && rows[0].dataset === null) {
      const build = await insertJob(client, {
        userId: job.user_id,
        kind: 'build',
        fileIds: [fileId],
        name: rows[0].file_name,
        request: { columns, processing },
      });
      await openDatasetRecord(client, { fileId, jobId: build.id, columns, processing });
    }
    await queue.close(claim, client);
  });
}

/** What was chosen for the bytes before, as far as these have it; and in sentences what they have not. */
function choicesIn(
  report: FileReport,
  { columns: before = {}, processing: chosen = {}, replaced }: JobRequest,
) {
  const roles = report.kind === 'h5ad' ? report.roles : [];
  const columns: ColumnChoice = {};
  const gone: string[] = [];
  for (const { role, chosen, alternatives } of roles) {
    const name = before[role];
    if (name === undefined) continue;
    if (chosen === name || alternatives.includes(name)) columns[role] = name;
    else gone.push(`The new file has no '${plainName(name)}' to choose as before; what fits is found anew.`);
  }
  if (before.expression !== undefined && !replaced) columns.expression = before.expression;
  else if (before.expression !== undefined)
    gone.push('What the values are was said of the file as it was before, and is looked at anew.');
  const { sampleColumn, ...processing } = chosen;
  const known = report.kind === 'h5ad' ? report.quality?.sampleColumns : undefined;
  // Where nobody looked, the build does.
  const kept = sampleColumn === null || known === undefined || known.includes(sampleColumn ?? '');
  if (sampleColumn === undefined) return { columns, processing, gone };
  if (kept) return { columns, processing: { ...processing, sampleColumn }, gone };
  gone.push(`The new file has no samples '${plainName(sampleColumn)}' as before; what fits is found anew.`);
  return { columns, processing, gone };
}

/** The dataset is in its place already; this says so. Throws RunLost. */
export async function recordDataset(
  { database, queue }: RecordParts,
  run: Run,
  result: BuildResult,
  notes: readonly string[],
): Promise<void> {
  const processed = result.processed && processingRecord.parse(result.processed);
  await database.transaction(async (client) => {
    await endRun(client, run, notes);
    const { rowCount } = await client.query(
      `update cellfolio.custom_datasets
       set state = 'ready', version = $2, cells = $3, genes = $4, processed = $5::jsonb, problem = null, updated_at = now()
       where job_id = $1`,
      [run.job.id, result.version, result.cells, result.genes, processed ? storableJson(processed) : null],
    );
    if (rowCount === 0) throw new RunLost();
    await queue.close(run.claim, client);
  });
}

/**
 * Puts the converted file among its owner's and ends the run, both or neither. Throws RunLost, StorageError,
 * StoreWriteFailed.
 */
export async function recordConversion(
  { database, queue, blobs, storage }: RecordParts,
  run: Run,
  made: { readonly notes: readonly string[]; readonly path: string; readonly signal: AbortSignal },
): Promise<void> {
  const { job, claim } = run;
  const fileName = job.name.replace(/\.h5ad$/i, '');
  await storeOwnFile(
    { ...storage, database, blobs },
    {
      userId: job.user_id,
      source: made.path,
      key: storedName(fileName, storage.now()),
      fileName,
      originalFilename: `${fileName}.h5ad`,
      description: null,
      mimeType: 'application/x-hdf5',
      signal: made.signal,
      also: async (client, fileId) => {
        await endRun(client, run, made.notes, fileId);
        await queue.close(claim, client);
      },
    },
  );
}

/** Throws RunLost. */
export async function recordFailure(
  { database, queue }: Pick<RecordParts, 'database' | 'queue'>,
  run: Run,
  problem: JobProblem,
): Promise<void> {
  const { job, claim, token } = run;
  const told = { code: problem.code, message: storableText(problem.message).slice(0, 2000) };
  await database.transaction(async (client) => {
    const { rowCount } = await client.query(
      `update cellfolio.jobs
       set state = 'failed', run_token = null, stage = null, finished_at = now(), problem = $3::jsonb,
         log = ${appendedLog('$4')}
       where id = $1 and run_token = $2`,
      [job.id, token, storableJson(told), linesOf([told.message])],
    );
    if (rowCount === 0) throw new RunLost();
    if (job.kind === 'build') await closeDatasetRecord(client, job.id, told);
    if (job.kind === 'inspect') await closeFileReport(client, job.file_ids[0]!, told);
    await queue.close(claim, client);
  });
}

/** Somebody takes it up again. `counts`: whether this attempt was one. Throws RunLost. */
export async function recordRetry(
  { database, queue }: Pick<RecordParts, 'database' | 'queue'>,
  run: Run,
  { counts, why }: { readonly counts: boolean; readonly why: string },
): Promise<void> {
  const { job, claim, token } = run;
  await database.transaction(async (client) => {
    const { rowCount } = await client.query(
      `update cellfolio.jobs
       set state = 'queued', run_token = null, stage = null, progress = 0, attempts = attempts - $3,
         log = ${appendedLog('$4')}
       where id = $1 and run_token = $2`,
      [job.id, token, counts ? 0 : 1, linesOf([why])],
    );
    if (rowCount === 0) throw new RunLost();
    await client.query(
      `update cellfolio.custom_datasets set state = 'queued', updated_at = now() where job_id = $1 and state = 'building'`,
      [job.id],
    );
    await queue.handBack(claim, client);
  });
}

/** Throws RunLost. */
async function endRun(
  client: Client,
  { job, token }: Run,
  notes: readonly string[] = [],
  resultFileId: string | null = null,
): Promise<void> {
  const { rowCount } = await client.query(
    `update cellfolio.jobs
     set state = 'done', run_token = null, stage = null, progress = 1, finished_at = now(), problem = null,
       result_file_id = $3, log = ${appendedLog('$4')}
     where id = $1 and run_token = $2`,
    [job.id, token, resultFileId, linesOf([...notes, 'Done'])],
  );
  if (rowCount === 0) throw new RunLost();
}

function linesOf(texts: readonly string[]): string {
  const at = new Date().toISOString();
  return storableJson(texts.map((text) => ({ at, text: text.slice(0, 500) })));
}

/** What the owner is told where the storage refuses a file that was made; undefined for what is a fault of ours. */
export function problemOfStorage(error: unknown): JobProblem | undefined {
  if (error instanceof StorageError) {
    if (error.code === 'QuotaExceeded') return { code: 'quota_exceeded', message: error.message };
    if (error.code === 'EntityTooLarge') {
      return { code: 'too_large', message: 'The converted file is larger than any file may be here.' };
    }
    return undefined;
  }
  const { code, message } = error as { code?: string; message?: string };
  // The trigger that counts files says what to do.
  if (code === 'PT409') {
    return { code: 'too_many_files', message: `The converted file could not be kept: ${message}` };
  }
  // A policy of the database: the plan ended while the work went on.
  if (code === '42501') {
    return {
      code: 'professional_plan_required',
      message: 'The converted file could not be kept: keeping files needs the Professional plan.',
    };
  }
  return undefined;
}
