import type {
  AnnotationRevision,
  BuildRequest,
  CopiedRecord,
  Job,
  JobProblem,
  ProcessingChoice,
  SamplesChoice,
  SubclusteringRecord,
} from '@cellfolio/contract';
import type { Database } from '@cellfolio/platform';
import type { RemoteFile } from '../../runtime/archives/linked-datasets.ts';

/** `cellfolio.jobs` is the one truth about jobs: every statement here that changes the state of one is in this file. */

/** What a transaction of the database is done with. */
export type Client = Parameters<Parameters<Database['transaction']>[0]>[0];

export type JobKind = Job['kind'];

/** What was chosen. `replaced`: for the bytes that the file had before those that are inspected. */
export type JobRequest = BuildRequest & {
  readonly replaced?: boolean;
  readonly download?: DownloadOrder;
  readonly combine?: CombineOrder;
  readonly subset?: SubsetOrder;
  readonly copy?: CopiedRecord;
};

/** A dataset of a link: one file, or a matrix and its two tables, which become one. */
export interface DownloadOrder {
  readonly files: readonly Pick<RemoteFile, 'address' | 'name' | 'part'>[];
  readonly description: string;
  /** What the archive says of the sample. */
  readonly values: Readonly<Record<string, string>>;
}

/** Samples in the order of the job's files. */
export interface CombineOrder {
  readonly samples: readonly { readonly sample: string; readonly values: Readonly<Record<string, string>> }[];
  readonly genes: 'shared' | 'all';
  readonly choices: SamplesChoice;
}

/** Cells of a dataset that become a file; which of its cells they are is in `cellfolio.job_cells`. */
export interface SubsetOrder {
  readonly part: SubclusteringRecord;
  /** Columns of the user's own that come along. */
  readonly annotations: readonly AnnotationRevision[];
  /** For the dataset that is built of the file. */
  readonly processing: ProcessingChoice;
}

export interface JobRow {
  readonly id: string;
  readonly user_id: string;
  readonly kind: JobKind;
  readonly file_ids: readonly string[];
  readonly name: string;
  /** Of a build: what was chosen for it. Of an inspection: for the build that follows. */
  readonly request: JobRequest;
  readonly state: Job['state'];
  readonly stage: string | null;
  readonly progress: number;
  readonly log: Job['log'];
  readonly attempts: number;
  readonly problem: JobProblem | null;
  readonly result_file_id: string | null;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
}

export const jobColumns = `id, user_id, kind, file_ids, name, request, state, stage, progress, log, attempts, problem,
  result_file_id, created_at, started_at, finished_at`;

/**
 * Of one user one job in each lane runs at a time. An inspection takes seconds, and never waits behind builds; a download
 * takes hours of waiting, and keeps nothing from being built.
 */
export const lanes = ['inspect', 'download', 'heavy'] as const;
export type Lane = (typeof lanes)[number];

const laneOf = (jobs: string) =>
  `case ${jobs}.kind when 'inspect' then 'inspect' when 'download' then 'download' else 'heavy' end`;

/** A job runs once more after a process that worked on it died; no third time. */
export const maxAttempts = 2;
/**
 * After so many seconds in which the process that took a job was silent, it counts as dead, and another takes the job. A
 * busy one may be silent for half of them.
 */
export const defaultLeaseSeconds = 20;
/** Ended jobs of a user beyond this number are forgotten, the oldest first. */
export const keptPerUser = 200;
export const maxLogLines = 200;
const maxLineLength = 500;

/** One run of a job: what it may write is decided by its token, which is good as long as the job is its own. */
export interface Run {
  readonly job: JobRow;
  readonly token: string;
}

/** The job was cancelled, taken by another process, or its file is gone: nothing of the run counts. */
export class RunLost extends Error {
  override readonly name = 'RunLost';

  constructor() {
    super('The job has been taken over by another run.');
  }
}

/** The job as its owner sees it. */
export function jobOf(row: JobRow): Job {
  const { user_id: _owner, request: _request, file_ids, created_at, started_at, finished_at, ...job } = row;
  return {
    ...job,
    file_ids: [...file_ids],
    created_at: created_at.toISOString(),
    started_at: started_at?.toISOString() ?? null,
    finished_at: finished_at?.toISOString() ?? null,
  };
}

interface NewJob {
  readonly userId: string;
  readonly kind: JobKind;
  readonly fileIds: readonly string[];
  readonly name: string;
  readonly request?: JobRequest;
}

/** Queues a job; whoever takes jobs finds it within a second of the commit. */
export async function insertJob(client: Client, job: NewJob): Promise<JobRow> {
  const { rows } = await client.query<JobRow>(
    `select ${jobColumns} from cellfolio.add_job($1, $2, $3, $4, $5)`,
    [job.userId, job.kind, job.fileIds, storableText(job.name), storableJson(job.request ?? {})],
  );
  // Here too, so that whoever begins and cancels without end fills no table.
  await client.query(
    `delete from cellfolio.jobs where id in (
       select id from cellfolio.jobs where user_id = $1 and state not in ('queued', 'running')
       order by created_at desc offset ${keptPerUser})`,
    [job.userId],
  );
  return rows[0]!;
}

/**
 * Takes the next job of a lane for `leaseSeconds`, counting the attempt: one that is queued, or whose process was not
 * heard of for its lease. Users take turns: the next job is of the owner who was served least recently in this lane, however
 * many another one queued before. Undefined where none waits whose owner has none running in this lane.
 */
export async function takeJob(
  database: Database,
  lane: Lane,
  token: string,
  leaseSeconds: number,
): Promise<Run | undefined> {
  return database.transaction(async (client) => {
    // Two processes at once must not take two jobs of one user.
    await client.query(`select pg_advisory_xact_lock(hashtextextended('cellfolio.jobs', 0))`);
    const { rows } = await client.query<JobRow>(
      `update cellfolio.jobs
       set state = 'running', run_token = $2, lease_until = clock_timestamp() + make_interval(secs => $3),
         attempts = attempts + 1, progress = 0, stage = 'Starting', started_at = coalesce(started_at, now())
       where id = (
         select id from cellfolio.jobs next
         where ${laneOf('next')} = $1
           and (state = 'queued' or (state = 'running' and lease_until < clock_timestamp()))
           and not exists (
             select from cellfolio.jobs other
             where other.user_id = next.user_id and other.run_token is not null and other.id <> next.id
               and ${laneOf('other')} = $1
               and (other.state = 'running' or other.lease_until > clock_timestamp()))
         order by (
             select max(served.started_at) from cellfolio.jobs served
             where served.user_id = next.user_id and ${laneOf('served')} = $1) nulls first,
           priority desc, created_at
         limit 1 for update skip locked)
       returning ${jobColumns}`,
      [lane, token, leaseSeconds],
    );
    return rows[0] && { job: rows[0], token };
  });
}

/** Whether a job waits for somebody to take it, whoever its owner is. */
export const jobWaits = `exists (
  select from cellfolio.jobs where state = 'queued' or (state = 'running' and lease_until < clock_timestamp()))`;

const ofRun = `id = $1 and run_token = $2 and state = 'running'`;
const noLease = `run_token = null, lease_until = '-infinity', stage = null`;

/** Whether the job is still the run's. */
export async function isHeld({ pool }: Database, { job, token }: Run): Promise<boolean> {
  const { rowCount } = await pool.query(`select from cellfolio.jobs where ${ofRun}`, [job.id, token]);
  return rowCount === 1;
}

/** Writes how far a run is, and extends its lease. False where the job is no longer the run's. */
export async function renewLease(
  { pool }: Database,
  { job, token }: Run,
  leaseSeconds: number,
  told: { readonly stage: string | undefined; readonly fraction: number; readonly lines: readonly LogLine[] },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update cellfolio.jobs
     set lease_until = clock_timestamp() + make_interval(secs => $3), stage = coalesce($4, stage), progress = $5,
       log = ${appendedLog('$6')}
     where ${ofRun}`,
    [job.id, token, leaseSeconds, told.stage ?? null, told.fraction, storableJson(told.lines)],
  );
  return rowCount === 1;
}

/** Ends the job of a run: done, or failed with a problem. Throws RunLost. */
export async function endRun(
  client: Client,
  { job, token }: Run,
  end: { readonly notes: readonly string[]; readonly resultFileId?: string; readonly problem?: JobProblem },
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
  if (rowCount === 0) throw new RunLost();
}

/** Somebody takes the job of a run again. `counts`: whether this attempt was one. Throws RunLost. */
export async function requeueRun(
  { pool }: Database,
  { job, token }: Run,
  { counts, why }: { readonly counts: boolean; readonly why: string },
): Promise<void> {
  const { rowCount } = await pool.query(
    `update cellfolio.jobs
     set ${noLease}, state = 'queued', progress = 0, attempts = attempts - $3, log = ${appendedLog('$4')}
     where ${ofRun}`,
    [job.id, token, counts ? 0 : 1, storableJson([logLine(why)])],
  );
  if (rowCount === 0) throw new RunLost();
}

/** The process of a run that lost its job has stopped: the next job of the owner may begin. */
export async function releaseLost({ pool }: Database, { job, token }: Run): Promise<void> {
  await pool.query(
    `update cellfolio.jobs set ${noLease} where id = $1 and run_token = $2 and state <> 'running'`,
    [job.id, token],
  );
}

/** For the one process of an embedded database as it starts: what was running ran in a process that is dead. */
export async function requeueAll({ pool }: Database): Promise<void> {
  await pool.query(`update cellfolio.jobs set ${noLease}, state = 'queued' where state = 'running'`);
}

/** Undefined where there is no such job of this user that has not ended. Its run finds out within a second. */
export async function cancelJob(
  client: Client,
  userId: string,
  jobId: string,
  problem: JobProblem,
): Promise<JobRow | undefined> {
  const { rows } = await client.query<JobRow>(
    `update cellfolio.jobs set state = 'cancelled', stage = null, finished_at = now(), problem = $3::jsonb
     where id = $1 and user_id = $2 and state in ('queued', 'running') returning ${jobColumns}`,
    [jobId, userId, JSON.stringify(problem)],
  );
  return rows[0];
}

/** Forgets jobs that ended `days` ago, and those beyond the kept number of each user. */
export async function forgetOldJobs({ pool }: Database, days: number): Promise<void> {
  await pool.query('delete from cellfolio.jobs where finished_at < now() - make_interval(days => $1)', [
    days,
  ]);
  await pool.query(
    `delete from cellfolio.jobs where id in (
       select id from (
         select id, row_number() over (partition by user_id order by created_at desc) as place
         from cellfolio.jobs where state not in ('queued', 'running')
       ) ended where place > ${keptPerUser})`,
  );
}

export type LogLine = Job['log'][number];

export function logLine(text: string): LogLine {
  return { at: new Date().toISOString(), text: storableText(text).slice(0, maxLineLength) };
}

/** The latest of the lines: a chatty work must not grow what everybody who looks at the page loads. */
export function latestLines(lines: readonly LogLine[]): LogLine[] {
  return lines.slice(-maxLogLines);
}

/** The log with lines at its end, and only the latest of all. */
function appendedLog(lines: string): string {
  return `(
    select coalesce(jsonb_agg(line order by place), '[]') from (
      select line, place from jsonb_array_elements(log || ${lines}::jsonb) with ordinality as all_lines (line, place)
      order by place desc limit ${maxLogLines}
    ) latest
  )`;
}

/**
 * JSON that PostgreSQL takes: names come from strangers' files, and jsonb knows neither the character NUL nor half a
 * surrogate pair.
 */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) => (typeof one === 'string' ? storableText(one) : one));
}

export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}
