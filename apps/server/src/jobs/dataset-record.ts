import type { JobProblem } from '@cellfolio/contract';
import type { Client } from './client.ts';
import type { JobRequest } from './job-row.ts';

/** Problem of a job whose file had its bytes replaced: whatever it made is of other bytes. */
export const replacedCode = 'file_replaced';

/**
 * Writes down that a build ended without a dataset. Where an earlier one can still be opened, the dataset stays ready
 * and only says why there is no newer one. Does nothing where a later build has taken its place.
 */
export async function closeDatasetRecord(client: Client, jobId: string, problem: JobProblem): Promise<void> {
  await client.query(
    `update cellfolio.custom_datasets
     set state = case when version is null then 'failed' else 'ready' end, problem = $2::jsonb, updated_at = now()
     where job_id = $1 and state in ('queued', 'building')`,
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
    `insert into cellfolio.custom_datasets (file_id, state, job_id, columns, processing)
     values ($1, 'queued', $2, $3::jsonb, $4::jsonb)
     on conflict (file_id) do update set state = 'queued', job_id = excluded.job_id, columns = excluded.columns,
       processing = excluded.processing, problem = null, updated_at = now()`,
    [build.fileId, build.jobId, JSON.stringify(build.columns), JSON.stringify(build.processing)],
  );
}

/**
 * What the owner of a file chose for its dataset: as it is built, or, while its bytes are looked at anew and there is no
 * dataset, as the latest inspection keeps it.
 */
export async function choicesFor(client: Client, userId: string, fileId: string): Promise<JobRequest> {
  const { rows } = await client.query<{ request: JobRequest }>(
    `select jsonb_build_object('columns', columns, 'processing', processing) as request
     from cellfolio.custom_datasets where file_id = $2
     union all
     (select request from cellfolio.jobs where user_id = $1 and kind = 'inspect' and file_ids = array[$2::uuid]
      order by created_at desc limit 1)
     limit 1`,
    [userId, fileId],
  );
  return rows[0]?.request ?? {};
}
