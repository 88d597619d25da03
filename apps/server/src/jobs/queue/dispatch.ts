import type { JobProblem } from '@cellfolio/contract';
import type { Database } from '@cellfolio/platform';
import type { Client } from '../client.ts';
import { choicesFor, replacedCode } from '../dataset-record.ts';
import { insertJob } from '../new-job.ts';
import type { JobQueue, QueuedJob } from './job-queue.ts';

/** Events and jobs taken in one transaction. */
const batch = 50;

export interface DispatchParts {
  readonly database: Database;
  readonly queue: JobQueue;
  /** Removes what is kept of the dataset of a file that is gone; may be called again. */
  readonly removeDataset: (fileId: string) => Promise<void>;
}

export interface Waiting {
  /** Files came or went. */
  readonly events: boolean;
  /** Jobs are not handed to the queue yet. */
  readonly unsent: boolean;
  /** Jobs wait in the queue. */
  readonly queued: boolean;
}

export async function whatWaits({ pool }: Pick<Database, 'pool'>): Promise<Waiting> {
  const { rows } = await pool.query<Waiting>(
    `select exists (select from cellfolio.file_events) as events,
       exists (select from cellfolio.jobs where state = 'queued' and queued_at is null) as unsent,
       exists (select from cellfolio.jobs where state = 'queued' and queued_at is not null) as queued`,
  );
  return rows[0]!;
}

interface FileEvent {
  readonly id: string;
  readonly kind: 'added' | 'removed' | 'replaced';
  readonly file_id: string;
  readonly user_id: string;
}

/**
 * Makes the jobs that follow from files that came, and takes away what belonged to files that went. Each event counts
 * once, in order, however many processes do this: one at a time, and the event goes with what it led to.
 */
export async function dispatchEvents({ database, removeDataset }: DispatchParts): Promise<void> {
  const removed = await database.transaction(async (client) => {
    const { rows: locked } = await client.query<{ ours: boolean }>(
      `select pg_try_advisory_xact_lock(hashtextextended('cellfolio.file_events', 0)) as ours`,
    );
    if (!locked[0]?.ours) return [];
    const { rows } = await client.query<FileEvent>(
      'select id, kind, file_id, user_id from cellfolio.file_events order by at, id limit $1',
      [batch],
    );
    const added = rows.filter(({ kind }) => kind === 'added');
    for (const event of added) await inspectNew(client, event);
    const replaced = rows.filter(({ kind }) => kind === 'replaced');
    for (const event of replaced) await inspectReplaced(client, event);
    await client.query('delete from cellfolio.file_events where id = any($1)', [
      [...added, ...replaced].map(({ id }) => id),
    ]);
    const gone = rows.filter(({ kind }) => kind === 'removed');
    for (const event of gone) await dropJobs(client, event);
    return gone;
  });
  for (const { id, file_id } of removed) {
    await removeDataset(file_id);
    // Last: whoever dies before does it all again.
    await database.pool.query('delete from cellfolio.file_events where id = $1', [id]);
  }
}

async function inspectNew(client: Client, { file_id, user_id }: FileEvent): Promise<void> {
  // Gone again, or restored from a backup together with its report.
  const { rows } = await client.query<{ file_name: string }>(
    `select file_name from public.user_files f
     where id = $1 and not exists (select from cellfolio.file_reports r where r.file_id = f.id)
       and not exists (select from cellfolio.jobs j where j.user_id = f.user_id and j.kind = 'inspect'
         and j.file_ids = array[f.id] and j.state in ('queued', 'running'))
     for key share`,
    [file_id],
  );
  if (!rows[0]) return;
  await insertJob(client, {
    userId: user_id,
    kind: 'inspect',
    fileIds: [file_id],
    name: rows[0].file_name,
  });
}

/** Nothing that was found in the bytes before counts, even where it was written down since they went. */
async function inspectReplaced(client: Client, { file_id, user_id }: FileEvent): Promise<void> {
  const { rows } = await client.query<{ file_name: string }>(
    'select file_name from public.user_files where id = $1 for key share',
    [file_id],
  );
  if (!rows[0]) return;
  const request = await choicesFor(client, user_id, file_id);
  // Nobody was told of these yet.
  await client.query(
    `delete from cellfolio.jobs
     where user_id = $1 and kind = 'inspect' and file_ids = array[$2::uuid] and state = 'queued' and queued_at is null`,
    [user_id, file_id],
  );
  await cancelJobs(client, { user_id, file_id }, fileReplaced);
  await client.query('delete from cellfolio.file_reports where file_id = $1', [file_id]);
  await client.query('update cellfolio.custom_datasets set outdated = true where file_id = $1', [file_id]);
  await insertJob(client, {
    userId: user_id,
    kind: 'inspect',
    fileIds: [file_id],
    name: rows[0].file_name,
    request: { ...request, replaced: true },
  });
}

async function dropJobs(client: Client, { file_id, user_id }: FileEvent): Promise<void> {
  await client.query('delete from cellfolio.jobs where user_id = $1 and file_ids = array[$2::uuid]', [
    user_id,
    file_id,
  ]);
  await cancelJobs(client, { user_id, file_id }, fileDeleted);
  await client.query('update cellfolio.jobs set result_file_id = null where result_file_id = $1', [file_id]);
}

/** Runs under way find out by their token within a second. */
async function cancelJobs(
  client: Client,
  { user_id, file_id }: Pick<FileEvent, 'user_id' | 'file_id'>,
  problem: JobProblem,
): Promise<void> {
  await client.query(
    `update cellfolio.jobs
     set state = 'cancelled', run_token = null, stage = null, finished_at = now(), problem = $3::jsonb
     where user_id = $1 and $2 = any(file_ids) and state in ('queued', 'running')`,
    [user_id, file_id, JSON.stringify(problem)],
  );
}

const fileDeleted: JobProblem = { code: 'file_deleted', message: 'One of the files was deleted.' };
const fileReplaced: JobProblem = {
  code: replacedCode,
  message: 'The file was replaced meanwhile. It is inspected anew; begin again when that is done.',
};

/** Hands new jobs to the queue, each once. */
export async function sendJobs({ database, queue }: DispatchParts): Promise<void> {
  await queue.open();
  await database.transaction(async (client) => {
    const { rows } = await client.query<QueuedJob>(
      `select id, kind, user_id, (
         select count(*)::int from cellfolio.jobs earlier
         where earlier.user_id = job.user_id and earlier.state = 'queued' and earlier.created_at < job.created_at
       ) as waiting_before
       from cellfolio.jobs job where state = 'queued' and queued_at is null
       order by created_at limit $1 for update skip locked`,
      [batch],
    );
    for (const job of rows) await queue.send(client, job);
    await client.query('update cellfolio.jobs set queued_at = now() where id = any($1)', [
      rows.map(({ id }) => id),
    ]);
  });
}
