import { isDatasetFile, onlyDatasetsText } from '@cellfolio/contract';
import type { BuildRequest, ConvertRequest, Job, JobProblem, OwnFiles } from '@cellfolio/contract';
import type { Database } from '@cellfolio/platform';
import { ApiFailure } from '../../runtime/api-failure.ts';
import {
  choicesFor,
  closeDatasetRecord,
  closeFileReport,
  holdFiles,
  openDatasetRecord,
  replacedCode,
  listOwnFiles,
} from './file-records.ts';
import { cancelJob, type Client, insertJob, type JobRow, jobColumns, jobOf } from './job-table.ts';

/** Jobs that one user may have waiting; inspections follow from uploads and do not count. */
const maxQueued = 50;

interface OwnJobsDeps {
  readonly database: Database;
  /** Of the plan that uploading needs. */
  readonly quotaBytes: number;
  /** Tells whoever takes jobs in this process, if anybody does, that there is one. */
  readonly wake: () => void;
}

interface FileRow {
  readonly id: string;
  readonly file_name: string;
  readonly original_filename: string;
}

/** What users ask of their own files and jobs. Nobody learns whether a file or a job of somebody else exists. */
export class OwnJobs {
  readonly #database: Database;
  readonly #quotaBytes: number;
  readonly #wake: () => void;

  constructor({ database, quotaBytes, wake }: OwnJobsDeps) {
    this.#database = database;
    this.#quotaBytes = quotaBytes;
    this.#wake = wake;
  }

  async list(userId: string): Promise<OwnFiles> {
    // On one connection: the page asks each second, and the embedded database makes and clears a session for each.
    return this.#database.transaction(async (client) => {
      const { rows } = await client.query<{ most: number }>('select cellfolio.most_user_files() as most');
      return {
        ...(await listOwnFiles(client, userId)),
        quota_bytes: (await isProfessional(client, userId)) ? this.#quotaBytes : 0,
        most_files: rows[0]!.most,
      };
    });
  }

  /** Throws ApiFailure 404. */
  async get(userId: string, jobId: string): Promise<Job> {
    const { rows } = await this.#database.pool.query<JobRow>(
      `select ${jobColumns} from cellfolio.jobs where id = $1 and user_id = $2`,
      [jobId, userId],
    );
    if (!rows[0]) throw noSuchJob();
    return jobOf(rows[0]);
  }

  /** A job that has ended stays as it ended. Throws ApiFailure 404. */
  async cancel(userId: string, jobId: string): Promise<Job> {
    const { file_ids } = await this.get(userId, jobId);
    const cancelled = await this.#database.transaction(async (client) => {
      await holdFiles(client, file_ids);
      return cancelWithProblem(client, userId, jobId, { code: 'cancelled', message: 'It was cancelled.' });
    });
    this.#wake();
    return cancelled ? jobOf(cancelled) : this.get(userId, jobId);
  }

  /** Throws ApiFailure 400, 403, 404, 409 or 429. */
  async convert(userId: string, request: ConvertRequest): Promise<Job> {
    await this.#requirePlan(userId);
    const fileIds = [...new Set(request.file_ids)];
    const row = await this.#database.transaction(async (client) => {
      await lockUser(client, userId);
      const files = await ownFilesOf(client, userId, fileIds);
      const matrix = files.find(({ original_filename: name }) => /\.mtx(\.gz)?$/i.test(name));
      const tables = files.filter(({ original_filename: name }) => /\.tsv(\.gz)?$/i.test(name));
      if (files.length !== 3 || !matrix || tables.length !== 2) throw notConvertible();
      await refuseSecondConversion(client, userId, fileIds);
      await refuseTooMany(client, userId);
      const name = resultName(request.file_name ?? matrix.original_filename.replace(/\.mtx(\.gz)?$/i, ''));
      return insertJob(client, {
        userId,
        kind: 'convert',
        fileIds: [matrix.id, ...tables.map(({ id }) => id)],
        name,
      });
    });
    this.#wake();
    return jobOf(row);
  }

  /**
   * Looks at a file anew. Without choices what was found before goes, and an inspection that is under way is answered
   * instead of a second one; with choices the report stays until the one with them takes its place, and an inspection
   * that is under way gives way. Throws ApiFailure 403 or 404.
   */
  async inspect(userId: string, fileId: string, { columns, processing }: BuildRequest = {}): Promise<Job> {
    await this.#requirePlan(userId);
    const chosen = columns !== undefined || processing !== undefined;
    const row = await this.#database.transaction(async (client) => {
      await lockUser(client, userId);
      const [file] = await ownFilesOf(client, userId, [fileId]);
      const { rows } = await client.query<JobRow>(
        `select ${jobColumns} from cellfolio.jobs where user_id = $1 and kind = 'inspect'
           and file_ids = array[$2::uuid] and state in ('queued', 'running')`,
        [userId, fileId],
      );
      if (rows[0] && !chosen) return rows[0];
      for (const { id } of rows) await cancelWithProblem(client, userId, id, newerInspection);
      await client.query(
        'delete from cellfolio.file_reports where file_id = $1 and (report is null or not $2)',
        [fileId, chosen],
      );
      const request = chosen
        ? { columns: columns ?? {}, processing: processing ?? {} }
        : await choicesFor(client, userId, fileId);
      return insertJob(client, {
        userId,
        kind: 'inspect',
        fileIds: [fileId],
        name: file!.file_name,
        request,
      });
    });
    this.#wake();
    return jobOf(row);
  }

  /** An earlier build of the file gives way. Throws ApiFailure 400, 403, 404, 409 or 429. */
  async build(userId: string, fileId: string, request: BuildRequest): Promise<Job> {
    await this.#requirePlan(userId);
    const row = await this.#database.transaction(async (client) => {
      await lockUser(client, userId);
      const [file] = await ownFilesOf(client, userId, [fileId]);
      if (!file || !isDatasetFile(file.original_filename)) throw notBuildable();
      await refuseReplaced(client, fileId);
      await refuseUnanswered(client, fileId, request);
      const { rows: earlier } = await client.query<{ id: string }>(
        `select id from cellfolio.jobs where user_id = $1 and kind = 'build' and file_ids = array[$2::uuid]
           and state in ('queued', 'running')`,
        [userId, fileId],
      );
      for (const { id } of earlier) await cancelWithProblem(client, userId, id, superseded);
      await refuseTooMany(client, userId);
      const { columns = {}, processing = {} } = request;
      const job = await insertJob(client, {
        userId,
        kind: 'build',
        fileIds: [fileId],
        name: file.file_name,
        request: { columns, processing },
      });
      await openDatasetRecord(client, { fileId, jobId: job.id, columns, processing });
      return job;
    });
    this.#wake();
    return jobOf(row);
  }

  async #requirePlan(userId: string): Promise<void> {
    if (await isProfessional(this.#database.pool, userId)) return;
    throw new ApiFailure(
      403,
      'professional_plan_required',
      'Converting files and building datasets of them needs the Professional plan.',
    );
  }
}

const newerInspection = { code: 'superseded', message: 'A newer inspection of the file took its place.' };
const superseded = { code: 'superseded', message: 'A newer build of the file took its place.' };

/** Also where what the job was for is shown. */
async function cancelWithProblem(
  client: Client,
  userId: string,
  jobId: string,
  problem: JobProblem,
): Promise<JobRow | undefined> {
  const job = await cancelJob(client, userId, jobId, problem);
  if (job?.kind === 'build') {
    const message = 'Building the dataset was cancelled. Build it again when you need it.';
    await closeDatasetRecord(client, jobId, { code: 'cancelled', message });
  }
  if (job?.kind === 'inspect') {
    const message = 'Looking at the file was cancelled.';
    for (const fileId of job.file_ids) await closeFileReport(client, fileId, { code: 'cancelled', message });
  }
  return job;
}

/** Two calls at once must not both find that nothing is under way. */
async function lockUser(client: Client, userId: string): Promise<void> {
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`cellfolio.jobs:${userId}`]);
}

/** Throws ApiFailure 404 unless all of them are the user's. */
async function ownFilesOf(
  client: Client,
  userId: string,
  fileIds: readonly string[],
): Promise<readonly FileRow[]> {
  const { rows } = await client.query<FileRow>(
    `select id, file_name, original_filename from public.user_files
     where user_id = $1 and id = any($2::uuid[]) for key share`,
    [userId, fileIds],
  );
  if (rows.length === fileIds.length) return rows;
  throw new ApiFailure(404, 'file_not_found', 'You have no such file. It may have been deleted.');
}

async function refuseSecondConversion(
  client: Client,
  userId: string,
  fileIds: readonly string[],
): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `select id from cellfolio.jobs where user_id = $1 and kind = 'convert' and state in ('queued', 'running')
       and file_ids && $2::uuid[]`,
    [userId, fileIds],
  );
  if (!rows[0]) return;
  throw new ApiFailure(
    409,
    'already_converting',
    'One of these files is already being converted. Wait until that has finished, or cancel it.',
    { details: { job_id: rows[0].id } },
  );
}

/** A dataset of bytes that nobody has looked at yet follows from their inspection. Throws ApiFailure 409. */
async function refuseReplaced(client: Client, fileId: string): Promise<void> {
  const { rowCount } = await client.query(
    'select from cellfolio.custom_datasets where file_id = $1 and outdated',
    [fileId],
  );
  if (!rowCount) return;
  throw new ApiFailure(
    409,
    replacedCode,
    'The file has been replaced and is being inspected again. Its dataset is made after that.',
  );
}

/** Values are never guessed at. Throws ApiFailure 400. */
async function refuseUnanswered(client: Client, fileId: string, { columns }: BuildRequest): Promise<void> {
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

async function refuseTooMany(client: Client, userId: string): Promise<void> {
  const { rows } = await client.query<{ waiting: number }>(
    `select count(*)::int as waiting from cellfolio.jobs
     where user_id = $1 and state = 'queued' and kind <> 'inspect'`,
    [userId],
  );
  if ((rows[0]?.waiting ?? 0) < maxQueued) return;
  throw new ApiFailure(
    429,
    'too_many_jobs',
    `${maxQueued} of your jobs are already waiting. Wait until some have finished, or cancel some.`,
  );
}

async function isProfessional(client: Pick<Client, 'query'>, userId: string): Promise<boolean> {
  const { rows } = await client.query<{ professional: boolean }>(
    'select cellfolio.is_professional($1) as professional',
    [userId],
  );
  return rows[0]?.professional ?? false;
}

/** A name as a file has one: what parts folders, and what nobody can see, is no part of it. */
function resultName(given: string): string {
  const name = given
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u001F\u007F/\\]/g, '_')
    .replace(/\.h5ad$/i, '')
    .trim();
  return `${[...(name || 'converted')].slice(0, 200).join('')}.h5ad`;
}

function noSuchJob(): ApiFailure {
  return new ApiFailure(404, 'job_not_found', 'You have no such job.');
}

function notConvertible(): ApiFailure {
  return new ApiFailure(
    400,
    'not_convertible',
    'Choose exactly one matrix file (.mtx) and two metadata files (.tsv).',
  );
}

function notBuildable(): ApiFailure {
  return new ApiFailure(400, 'not_buildable', onlyDatasetsText);
}
