import type { Client } from './client.ts';
import { type JobKind, type JobRequest, type JobRow, jobColumns } from './job-row.ts';
import { storableText } from './storable-json.ts';

export interface NewJob {
  readonly userId: string;
  readonly kind: JobKind;
  readonly fileIds: readonly string[];
  readonly name: string;
  readonly request?: JobRequest;
}

/** Jobs of a user that are listed no more are forgotten beyond this number of those that have ended. */
export const keptPerUser = 200;

/** Writes a job down; whoever takes jobs finds it within a second of the commit. */
export async function insertJob(client: Client, job: NewJob): Promise<JobRow> {
  const { rows } = await client.query<JobRow>(
    `insert into cellfolio.jobs (user_id, kind, file_ids, name, request) values ($1, $2, $3, $4, $5)
     returning ${jobColumns}`,
    [job.userId, job.kind, job.fileIds, storableText(job.name), JSON.stringify(job.request ?? {})],
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
