import type { JobProblem } from '@cellfolio/contract';
import type { Client, JobRequest } from './job-table.ts';

/** Problem of a job whose file had its bytes replaced: whatever it made is of other bytes. */
export const replacedCode = 'file_replaced';

/**
 * Writes why a build ended without a dataset. Where an earlier one can still be opened, the dataset stays ready and
 * only says why there is no newer one. Does nothing where a later build has taken its place.
 */
export async function closeDatasetRecord(client: Client, jobId: string, problem: JobProblem): Promise<void> {
  await client.query(
    'update cellfolio.custom_datasets set problem = $2::jsonb, updated_at = now() where job_id = $1',
    [jobId, JSON.stringify(problem)],
  );
}

/** Writes down that a file could not be looked at, unless it was meanwhile. */
export async function closeFileReport(client: Client, fileId: string, problem: JobProblem): Promise<void> {
  await client.query(
    `insert into cellfolio.file_reports (file_id, problem)
     select id, $2::jsonb from public.user_files where id = $1
     on conflict (file_id) do nothing`,
    [fileId, JSON.stringify(problem)],
  );
}

/** The dataset of a file begins to be built anew; what was built before can be opened until then. */
export async function openDatasetRecord(
  client: Client,
  build: { fileId: string; jobId: string; columns: unknown; processing: unknown },
): Promise<void> {
  await client.query(
    `insert into cellfolio.custom_datasets (file_id, job_id, columns, processing)
     values ($1, $2, $3::jsonb, $4::jsonb)
     on conflict (file_id) do update set job_id = excluded.job_id, columns = excluded.columns,
       processing = excluded.processing, problem = null, updated_at = now()`,
    [build.fileId, build.jobId, JSON.stringify(build.columns), JSON.stringify(build.processing)],
  );
}

/** What the owner of a file chose for its dataset; without a dataset, for its latest inspection. */
export async function choicesFor(client: Client, userId: string, fileId: string): Promise<JobRequest> {
  const { rows } = await client.query<{ choices: JobRequest }>(
    'select cellfolio.file_choices($1, $2) as choices',
    [userId, fileId],
  );
  return rows[0]!.choices;
}

/**
 * Keeps files from being deleted until the transaction ends. To be called before a job on them is changed: whoever
 * deletes a file takes its row first and its jobs after it, and two that wait for each other would both wait for ever.
 */
export async function holdFiles(client: Client, fileIds: readonly string[]): Promise<void> {
  await client.query('select from public.user_files where id = any($1::uuid[]) order by id for key share', [
    fileIds,
  ]);
}
