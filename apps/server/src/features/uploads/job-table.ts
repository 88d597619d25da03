import type {
  AnnotationRevision,
  BuildRequest,
  CellxgeneChoices,
  CombineOrder,
  CopiedRecord,
  Job,
  JobProblem,
  ProcessingChoice,
  SubclusteringRecord,
} from '@cellfolio/contract';
import type { Database } from '@cellfolio/platform';
import type { RemoteFile } from '../../runtime/archives/linked-datasets.ts';
import type { Owner } from '../../runtime/owners.ts';
import { limits } from '../../runtime/limits/limits.ts';

/**
 * `cellfolio.jobs` is the only source of truth about jobs: every statement that changes the state of one is in this
 * file.
 */

export type Client = Parameters<Parameters<Database['transaction']>[0]>[0];

export type JobKind = Job['kind'];

/** The choices of a job. `replaced`: made for the bytes that the file had before the inspected ones. */
export type JobRequest = BuildRequest & {
  replaced?: boolean;
  /** The file is only inspected. */
  unbuilt?: boolean;
  download?: DownloadOrder;
  combine?: JobSamples;
  subset?: SubsetOrder;
  copy?: CopiedRecord;
  cellxgene?: CellxgeneOrder;
};

/** A dataset of a link: one file, or a matrix and its two tables, which become one. */
export interface DownloadOrder {
  files: readonly Pick<RemoteFile, 'address' | 'name' | 'part'>[];
  description: string;
  values: Readonly<Record<string, string>>;
}

/** Samples in the order of the job's files. */
interface JobSamples extends Pick<CombineOrder, 'genes' | 'choices'> {
  samples: readonly Omit<CombineOrder['samples'][number], 'file_id'>[];
}

/** Cells of a dataset that become a file; the cells themselves are in `cellfolio.job_cells`. */
export interface SubsetOrder {
  part: SubclusteringRecord;
  annotations: readonly AnnotationRevision[];
  processing: ProcessingChoice;
}

/** A dataset that becomes a file for CELLxGENE Discover. */
export interface CellxgeneOrder {
  dataset: { id: string; version: string; name: string };
  choices: CellxgeneChoices;
  annotations: readonly AnnotationRevision[];
}

export interface JobRow extends Omit<Job, 'created_at' | 'started_at' | 'finished_at'> {
  owner_id: Owner;
  /** For a build: its choices. For an inspection: those of the build that follows. */
  request: JobRequest;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
}

export const jobColumns = `id, owner_id, kind, file_ids, name, request, state, stage, progress, log, attempts, problem,
  result_file_id, created_at, started_at, finished_at`;

/** A job is retried once after a process that worked on it died, not a second time. */
export const maxAttempts = 2;
/**
 * Lease of a job: a process that is silent for this long counts as dead, and another takes the job. A busy process may
 * be silent for half of it.
 */
export const defaultLeaseSeconds = 20;
export const maxLogLines = 200;
const maxLineLength = 500;

/** One run of a job: its token authorises its writes as long as the run holds the job. */
export interface Run {
  job: JobRow;
  token: string;
}

/** The job was cancelled, taken by another process, or its file was deleted: the run's results are discarded. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor() {
    super('The job has been taken over by another run.');
  }
}

export function jobOf(row: JobRow): Job {
  const { owner_id: _owner, request: _request, file_ids, created_at, started_at, finished_at, ...job } = row;
  return {
    ...job,
    file_ids: [...file_ids],
    created_at: created_at.toISOString(),
    started_at: started_at?.toISOString() ?? null,
    finished_at: finished_at?.toISOString() ?? null,
  };
}

interface NewJob {
  owner: Owner;
  kind: JobKind;
  fileIds: readonly string[];
  name: string;
  request?: JobRequest;
}

/** Queues a job; a worker finds it within a second of the commit. */
export async function insertJob(client: Client, job: NewJob): Promise<JobRow> {
  const { rows } = await client.query<JobRow>(
    `select ${jobColumns} from cellfolio.add_job($1, $2, $3, $4, $5)`,
    [job.owner, job.kind, job.fileIds, storableText(job.name), storableJson(job.request ?? {})],
  );
  // Here too, so that whoever begins and cancels without end fills no table.
  await client.query(
    `delete from cellfolio.jobs where id in (
       select id from cellfolio.jobs where owner_id = $1 and state not in ('queued', 'running')
       order by created_at desc offset ${limits.endedJobs.value})`,
    [job.owner],
  );
  return rows[0]!;
}

/**
 * Leases the next job of the kinds of a lane for `leaseSeconds` and counts the attempt: one that is queued, or whose lease expired.
 * Owners take turns: the next job belongs to the owner who was served least recently in this lane, however many jobs
 * another one has queued. Undefined when no job waits whose owner has none running in this lane.
 */
export async function takeJob(
  database: Database,
  kinds: readonly JobKind[],
  token: string,
  leaseSeconds: number,
): Promise<Run | undefined> {
  return database.transaction(async (client) => {
    // Two processes at once must not take two jobs of one owner.
    await client.query(`select pg_advisory_xact_lock(hashtextextended('cellfolio.jobs', 0))`);
    const { rows } = await client.query<JobRow>(
      `update cellfolio.jobs
       set state = 'running', run_token = $2, lease_until = clock_timestamp() + make_interval(secs => $3),
         attempts = attempts + 1, progress = 0, stage = 'Starting', started_at = coalesce(started_at, now())
       where id = (
         select id from cellfolio.jobs next
         where next.kind = any($1)
           and (state = 'queued' or (state = 'running' and lease_until < clock_timestamp()))
           and not exists (
             select from cellfolio.jobs other
             where other.owner_id = next.owner_id and other.run_token is not null and other.id <> next.id
               and other.kind = any($1)
               and (other.state = 'running' or other.lease_until > clock_timestamp()))
         order by (
             select max(served.started_at) from cellfolio.jobs served
             where served.owner_id = next.owner_id and served.kind = any($1)) nulls first,
           priority desc, created_at
         limit 1 for update skip locked)
       returning ${jobColumns}`,
      [kinds, token, leaseSeconds],
    );
    return rows[0] && { job: rows[0], token };
  });
}

/** SQL condition: some job of any owner waits to be taken. */
export const jobWaits = `exists (
  select from cellfolio.jobs where state = 'queued' or (state = 'running' and lease_until < clock_timestamp()))`;

const ofRun = `id = $1 and run_token = $2 and state = 'running'`;
const noLease = `run_token = null, lease_until = '-infinity', stage = null`;

export async function isHeld({ pool }: Database, { job, token }: Run): Promise<boolean> {
  const { rowCount } = await pool.query(`select from cellfolio.jobs where ${ofRun}`, [job.id, token]);
  return rowCount === 1;
}

/** Records the progress of a run and extends its lease. False when the run no longer holds the job. */
export async function renewLease(
  { pool }: Database,
  { job, token }: Run,
  leaseSeconds: number,
  progress: {
    stage: string | undefined;
    fraction: number;
    lines: readonly LogLine[];
  },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update cellfolio.jobs
     set lease_until = clock_timestamp() + make_interval(secs => $3), stage = coalesce($4, stage), progress = $5,
       log = ${appendedLog('$6')}
     where ${ofRun}`,
    [job.id, token, leaseSeconds, progress.stage ?? null, progress.fraction, storableJson(progress.lines)],
  );
  return rowCount === 1;
}

/** Ends the job of a run: done, or failed with a problem. Throws RunLost. */
export async function endRun(
  client: Client,
  { job, token }: Run,
  end: { notes: readonly string[]; resultFileId?: string; problem?: JobProblem },
): Promise<void> {
  const { notes, resultFileId = null, problem } = end;
  const { rowCount } = await client.query(
    `update cellfolio.jobs
     set ${noLease}, state = $3, progress = case $3 when 'done' then 1 else progress end, finished_at = now(),
       problem = $4::jsonb, result_file_id = $5, log = ${appendedLog('$6')}
     where ${ofRun}`,
    [
      job.id,
      token,
      problem ? 'failed' : 'done',
      problem ? storableJson(problem) : null,
      resultFileId,
      storableJson([...notes, problem?.message ?? 'Done'].map(logLine)),
    ],
  );
  if (rowCount === 0) throw new LeaseLost();
}

/** Puts the job of a run back into the queue. `counts`: whether the attempt counts. Throws RunLost. */
export async function requeueRun(
  { pool }: Database,
  { job, token }: Run,
  { counts, why }: { counts: boolean; why: string },
): Promise<void> {
  const { rowCount } = await pool.query(
    `update cellfolio.jobs
     set ${noLease}, state = 'queued', progress = 0, attempts = attempts - $3, log = ${appendedLog('$4')}
     where ${ofRun}`,
    [job.id, token, counts ? 0 : 1, storableJson([logLine(why)])],
  );
  if (rowCount === 0) throw new LeaseLost();
}

/** Records that the process of a lost run has stopped, so that the owner's next job may begin. */
export async function releaseLostLease({ pool }: Database, { job, token }: Run): Promise<void> {
  await pool.query(
    `update cellfolio.jobs set ${noLease} where id = $1 and run_token = $2 and state <> 'running'`,
    [job.id, token],
  );
}

/** For the only process of an embedded database at its start: jobs marked as running belonged to a dead process. */
export async function requeueAll({ pool }: Database): Promise<void> {
  await pool.query(`update cellfolio.jobs set ${noLease}, state = 'queued' where state = 'running'`);
}

/** Undefined when the owner has no such unfinished job. Its run notices within a second. */
export async function cancelJob(
  client: Client,
  owner: Owner,
  jobId: string,
  problem: JobProblem,
): Promise<JobRow | undefined> {
  const { rows } = await client.query<JobRow>(
    `update cellfolio.jobs set state = 'cancelled', stage = null, finished_at = now(), problem = $3::jsonb
     where id = $1 and owner_id = $2 and state in ('queued', 'running') returning ${jobColumns}`,
    [jobId, owner, JSON.stringify(problem)],
  );
  return rows[0];
}

/** Deletes jobs that ended `days` ago, and those beyond the maximum per user. */
export async function forgetOldJobs({ pool }: Database, days: number): Promise<void> {
  await pool.query('delete from cellfolio.jobs where finished_at < now() - make_interval(days => $1)', [
    days,
  ]);
  await pool.query(
    `delete from cellfolio.jobs where id in (
       select id from (
         select id, row_number() over (partition by owner_id order by created_at desc) as place
         from cellfolio.jobs where state not in ('queued', 'running')
       ) ended where place > ${limits.endedJobs.value})`,
  );
}

export type LogLine = Job['log'][number];

export function logLine(text: string): LogLine {
  return { at: new Date().toISOString(), text: storableText(text).slice(0, maxLineLength) };
}

/** The latest lines: verbose work must not enlarge what every viewer of the page loads. */
export function latestLines(lines: readonly LogLine[]): LogLine[] {
  return lines.slice(-maxLogLines);
}

function appendedLog(lines: string): string {
  return `(
    select coalesce(jsonb_agg(line order by place), '[]') from (
      select line, place from jsonb_array_elements(log || ${lines}::jsonb) with ordinality as all_lines (line, place)
      order by place desc limit ${maxLogLines}
    ) latest
  )`;
}

/**
 * JSON that PostgreSQL accepts: names come from strangers' files, and jsonb allows neither the character NUL nor lone
 * surrogates.
 */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) => (typeof one === 'string' ? storableText(one) : one));
}

export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}
