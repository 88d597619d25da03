import type { BuildRequest } from '@cellfolio/contract';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { replacedCode } from './file-records.ts';
import type { Client } from './job-table.ts';
import type { Owner } from '../../runtime/owners.ts';
import { limits } from '../../runtime/limits/limits.ts';

export interface FileRow {
  id: string;
  file_name: string;
  original_filename: string;
}

/** Throws ApiFailure 403. */
export async function requirePlan(client: Pick<Client, 'query'>, owner: Owner): Promise<void> {
  if (await isProfessional(client, owner)) return;
  throw new ApiFailure(
    403,
    'professional_plan_required',
    'Fetching, converting and combining files and building datasets of them needs the Professional plan.',
  );
}

export async function isProfessional(client: Pick<Client, 'query'>, owner: Owner): Promise<boolean> {
  const { rows } = await client.query<{ professional: boolean }>(
    'select cellfolio.is_professional($1) as professional',
    [owner],
  );
  return rows[0]?.professional ?? false;
}

/** Serialises concurrent calls of an owner, so that two of them cannot both find that no job is running. */
export async function lockOwner(client: Client, owner: Owner): Promise<void> {
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`cellfolio.jobs:${owner}`]);
}

/** Throws ApiFailure 404 unless all files belong to the owner. */
export async function ownFilesOf(
  client: Client,
  owner: Owner,
  fileIds: readonly string[],
): Promise<readonly FileRow[]> {
  const { rows } = await client.query<FileRow>(
    `select id, file_name, original_filename from public.user_files
     where user_id = $1 and id = any($2::uuid[]) for key share`,
    [owner, fileIds],
  );
  if (rows.length === fileIds.length) return rows;
  throw new ApiFailure(404, 'file_not_found', 'You have no such file. It may have been deleted.');
}

/** Throws ApiFailure 429 when `more` further jobs would be too many. */
export async function refuseTooMany(client: Client, owner: Owner, more = 1): Promise<void> {
  const { rows } = await client.query<{ waiting: number }>(
    `select count(*)::int as waiting from cellfolio.jobs
     where owner_id = $1 and state = 'queued' and kind <> 'inspect'`,
    [owner],
  );
  const queued = rows[0]?.waiting ?? 0;
  if (queued + more <= limits.waitingJobs.value) return;
  throw new ApiFailure(
    429,
    'too_many_jobs',
    `${queued} of your jobs are already waiting; the maximum is ${limits.waitingJobs.value}. Wait until some finish, or cancel some.`,
  );
}

/** Throws ApiFailure 409. */
export async function refuseSecondConversion(
  client: Client,
  owner: Owner,
  fileIds: readonly string[],
): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `select id from cellfolio.jobs where owner_id = $1 and kind = 'convert' and state in ('queued', 'running')
       and file_ids && $2::uuid[]`,
    [owner, fileIds],
  );
  if (!rows[0]) return;
  throw new ApiFailure(
    409,
    'already_converting',
    'One of these files is already being converted. Wait until it finishes, or cancel it.',
    { details: { job_id: rows[0].id } },
  );
}

/** Bytes that have not been inspected yet get their dataset after the inspection. Throws ApiFailure 409. */
export async function refuseReplaced(client: Client, fileId: string): Promise<void> {
  const { rowCount } = await client.query(
    'select from cellfolio.custom_datasets where file_id = $1 and outdated',
    [fileId],
  );
  if (!rowCount) return;
  throw new ApiFailure(
    409,
    replacedCode,
    'The file has been replaced and is being inspected again. Its dataset is built after that.',
  );
}

/** Values are never guessed. Throws ApiFailure 400. */
export async function refuseUnanswered(
  client: Client,
  fileId: string,
  { columns }: BuildRequest,
): Promise<void> {
  const { rows } = await client.query<{ asked: string[] }>(
    `select coalesce(report -> 'waitsFor', '[]') as asked from cellfolio.file_reports where file_id = $1`,
    [fileId],
  );
  const question = questions.find(
    ({ about }) => columns?.[about] === undefined && rows[0]?.asked.includes(about),
  );
  if (question !== undefined) throw new ApiFailure(400, 'answer_needed', question.text);
}

const questions = [
  {
    about: 'genesIn',
    text: 'State whether the table has its genes in rows or in columns (columns.genesIn); its names do not show it.',
  },
  {
    about: 'expression',
    text: 'State the scale of the values (columns.expression); it cannot be detected.',
  },
] as const;

/** A valid file name without extension: path separators and invisible characters are removed. */
export function fileNameOf(rawName: string, otherwise: string): string {
  const name = rawName
    .replaceAll(/[\p{Cc}\p{Bidi_Control}/\\]/gu, '_')
    .toWellFormed()
    .trim();
  return [...(name || otherwise)].slice(0, 200).join('').trim();
}
