import {
  type JobProblem,
  fileReport,
  type FileReport,
  type UserFileRecord,
  type UserFileList,
} from '@cellfolio/contract';
import { type Client, type JobRequest, type JobRow, jobColumns, jobOf } from './job-table.ts';
import { namesWithin } from './work/failures.ts';
import type { Owner } from '../../runtime/owners.ts';
import { limits } from '../../runtime/limits/limits.ts';

/** Problem of a job whose file was replaced: its results belong to other bytes. */
export const replacedCode = 'file_replaced';

/**
 * Records why a build ended without a dataset. When an earlier dataset can still be opened, it stays ready and only
 * states why there is no newer one. Does nothing when a later build has replaced this one.
 */
export async function closeDatasetRecord(client: Client, jobId: string, problem: JobProblem): Promise<void> {
  await client.query(
    'update cellfolio.custom_datasets set problem = $2::jsonb, updated_at = now() where job_id = $1',
    [jobId, JSON.stringify(problem)],
  );
}

/** Records that a file could not be inspected, unless it was inspected in the meantime. */
export async function closeFileReport(client: Client, fileId: string, problem: JobProblem): Promise<void> {
  await client.query(
    `insert into cellfolio.file_reports (file_id, problem)
     select id, $2::jsonb from public.user_files where id = $1
     on conflict (file_id) do nothing`,
    [fileId, JSON.stringify(problem)],
  );
}

/** Marks the dataset of a file as being built; an earlier build can be opened until then. */
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

/** The owner's choices for the dataset of a file; without a dataset, for its latest inspection. */
export async function choicesFor(client: Client, owner: Owner, fileId: string): Promise<JobRequest> {
  const { rows } = await client.query<{ choices: JobRequest }>(
    'select cellfolio.file_choices($1, $2) as choices',
    [owner, fileId],
  );
  return rows[0]!.choices;
}

/**
 * Keeps files from being deleted until the transaction ends. Call before a job on them is changed: a deletion locks the
 * row of the file first and its jobs after it, so the opposite order would deadlock.
 */
export async function holdFiles(client: Client, fileIds: readonly string[]): Promise<void> {
  await client.query('select from public.user_files where id = any($1::uuid[]) order by id for key share', [
    fileIds,
  ]);
}

const listedEnded = 50;

/** The user's files with their reports, and the jobs on them; newest first. */
export async function listUserFiles(
  client: Pick<Client, 'query'>,
  owner: Owner,
): Promise<Pick<UserFileList, 'files' | 'jobs'>> {
  const { rows: files } = await client.query<UserFileRow>(ownFilesQuery, [owner]);
  const { rows: jobs } = await client.query<JobRow>(
    `(select ${jobColumns} from cellfolio.jobs where owner_id = $1 and state in ('queued', 'running'))
     union all
     (select ${jobColumns} from cellfolio.jobs where owner_id = $1 and state not in ('queued', 'running')
      order by created_at desc limit $2)
     order by created_at desc, id`,
    [owner, listedEnded],
  );
  return { files: files.map(userFileOf), jobs: jobs.map(jobOf) };
}

type UserDataset = NonNullable<UserFileRecord['dataset']>;

interface UserFileRow extends Omit<UserFileRecord, 'dataset'>, Omit<UserDataset, 'state' | 'problem'> {
  state: UserDataset['state'] | null;
  dataset_problem: UserDataset['problem'];
}

const ownFilesQuery = `
  select f.id as file_id, f.file_name as name, r.report, r.problem, cellfolio.dataset_state(d) as state, d.job_id, d.cells, d.genes, d.columns, d.processing, d.version, d.made_with, d.made_before,
    d.processed, d.warnings,
    d.problem as dataset_problem, c.record as combined, s.record as part_of, k.record as copy_of, (
      select j.request #> '{download,values}' from cellfolio.jobs j
      where j.owner_id = $1 and j.result_file_id = f.id and j.kind = 'download' limit 1
    ) as said
  from public.user_files f
  left join cellfolio.combined_files c on c.file_id = f.id
  left join cellfolio.subclusterings s on s.file_id = f.id
  left join cellfolio.copied_files k on k.file_id = f.id
  left join cellfolio.file_reports r on r.file_id = f.id
  left join cellfolio.custom_datasets d on d.file_id = f.id and not d.outdated
  where f.user_id = $1
  order by f.created_at desc, f.id
  limit ${limits.files.value}`;

function userFileOf(row: UserFileRow): UserFileRecord {
  const { file_id, name, report, problem, state, said: sampleTexts, combined, part_of, copy_of } = row;
  const dataset = state && {
    state,
    job_id: row.job_id,
    cells: row.cells,
    genes: row.genes,
    columns: row.columns,
    processing: row.processing,
    version: row.version,
    made_with: row.made_with,
    made_before: row.made_before,
    processed: row.processed,
    warnings: row.warnings,
    problem: row.dataset_problem,
  };
  // One that was written by an earlier version gets the defaults of what it lacks; one that does not fit counts as none.
  const parsed = fileReport.safeParse(report).data ?? null;
  return {
    file_id,
    name,
    report: parsed && boundedReport(parsed),
    problem,
    dataset,
    said: sampleTexts,
    combined,
    part_of,
    copy_of,
  };
}

/** Reports of an earlier version may list names of any length. */
function boundedReport(report: FileReport): FileReport {
  if (report.kind !== 'h5ad') return report;
  return {
    ...report,
    roles: report.roles.map((role) => ({ ...role, alternatives: namesWithin(role.alternatives) })),
    metadata: namesWithin(report.metadata),
  };
}
