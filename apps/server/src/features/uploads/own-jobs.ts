import { isDatasetFile, onlyDatasetsText } from '@cellfolio/contract';
import type {
  BuildFileRequest,
  BuildRequest,
  CombineOrder,
  ConvertRequest,
  CopiedRecord,
  Job,
  JobProblem,
  UserFileList,
} from '@cellfolio/contract';
import type { Database } from '@cellfolio/platform';
import { ApiFailure } from '../../runtime/api-failure.ts';
import {
  fileNameOf,
  isProfessional,
  lockOwner,
  ownFilesOf,
  refuseReplaced,
  refuseSecondConversion,
  refuseTooMany,
  refuseUnanswered,
  requirePlan,
} from './caller-rules.ts';
import { choicesFor, holdFiles, listUserFiles } from './file-records.ts';
import { jobKinds } from './kinds/job-kinds.ts';
import { queueBuild } from './kinds/record-file.ts';
import { cancelJob, type Client, insertJob, type JobRow, jobColumns, jobOf } from './job-table.ts';
import { type Action, type Caller, may, type Owner, ownerOf } from '../../runtime/owners.ts';
import { limits } from '../../runtime/limits/limits.ts';

interface UserJobsDeps {
  database: Database;
  quotaBytes: number;
  /** Wakes this process's job worker, if it runs one. */
  wake: () => void;
}

/** Requests of callers about files and jobs. Whether there is one that they may not read is never revealed. */
export class UserJobs {
  readonly #database: Database;
  readonly #quotaBytes: number;
  readonly #wake: () => void;

  constructor({ database, quotaBytes, wake }: UserJobsDeps) {
    this.#database = database;
    this.#quotaBytes = quotaBytes;
    this.#wake = wake;
  }

  async list(owner: Owner): Promise<UserFileList> {
    // On one connection: the page asks each second, and the embedded database makes and clears a session for each.
    return this.#database.transaction(async (client) => {
      return {
        ...(await listUserFiles(client, owner)),
        quota_bytes: (await isProfessional(client, owner)) ? this.#quotaBytes : 0,
        most_files: limits.files.value,
      };
    });
  }

  /** Throws ApiFailure 404. */
  async get(caller: Caller, jobId: string): Promise<Job> {
    return jobOf(await findJob(this.#database.pool, caller, 'read', jobId));
  }

  /** A job that has ended keeps its state. Throws ApiFailure 404. */
  async cancel(caller: Caller, jobId: string): Promise<Job> {
    const { owner_id, file_ids } = await findJob(this.#database.pool, caller, 'write', jobId);
    const cancelled = await this.#database.transaction(async (client) => {
      await holdFiles(client, file_ids);
      return cancelWithProblem(client, owner_id, jobId, { code: 'cancelled', message: 'It was canceled.' });
    });
    this.#wake();
    return cancelled ? jobOf(cancelled) : this.get(caller, jobId);
  }

  /**
   * Restarts a download, a combination, a subclustering or a copy that ended without a result. Throws ApiFailure 403,
   * 404, 409, 429.
   */
  async again(caller: Caller, jobId: string): Promise<Job> {
    await requirePlan(this.#database.pool, ownerOf(caller));
    const { owner_id: owner } = await findJob(this.#database.pool, caller, 'write', jobId);
    const row = await this.#database.transaction(async (client) => {
      await lockOwner(client, owner);
      const job = await findJob(client, caller, 'write', jobId);
      const { kind, state, name, request, file_ids: fileIds } = job;
      if (!['failed', 'cancelled'].includes(state) || !jobKinds[kind].isRestartable) throw notAgain();
      await ownFilesOf(client, owner, fileIds);
      await refuseTooMany(client, owner);
      const begun = await insertJob(client, { owner, kind, fileIds, name, request });
      await client.query(
        'insert into cellfolio.job_cells (job_id, cells) select $2, cells from cellfolio.job_cells where job_id = $1',
        [jobId, begun.id],
      );
      return begun;
    });
    this.#wake();
    return jobOf(row);
  }

  /** Throws ApiFailure 400, 403, 404 or 429. */
  async combine(owner: Owner, request: CombineOrder): Promise<Job> {
    await requirePlan(this.#database.pool, owner);
    const row = await this.#database.transaction(async (client) => {
      await lockOwner(client, owner);
      const fileIds = request.samples.map(({ file_id }) => file_id.toLowerCase());
      if (new Set(fileIds).size < fileIds.length) throw notCombinable('Each file can be one sample.');
      const files = await ownFilesOf(client, owner, fileIds);
      if (!files.every(({ original_filename }) => isDatasetFile(original_filename)))
        throw notCombinable(onlyDatasetsText);
      await refuseTooMany(client, owner);
      const { file_name, genes, choices } = request;
      return insertJob(client, {
        owner,
        kind: 'combine',
        fileIds,
        name: `${fileNameOf(file_name.replace(/\.h5ad$/i, ''), 'combined')}.h5ad`,
        request: {
          combine: {
            samples: request.samples.map(({ sample, values }) => ({ sample, values })),
            genes,
            choices,
          },
        },
      });
    });
    this.#wake();
    return jobOf(row);
  }

  /** Throws ApiFailure 400, 403, 404, 409 or 429. */
  async convert(owner: Owner, request: ConvertRequest): Promise<Job> {
    await requirePlan(this.#database.pool, owner);
    const fileIds = [...new Set(request.file_ids)];
    const row = await this.#database.transaction(async (client) => {
      await lockOwner(client, owner);
      const files = await ownFilesOf(client, owner, fileIds);
      const matrix = files.find(({ original_filename: name }) => /\.mtx(\.gz)?$/i.test(name));
      const tables = files.filter(({ original_filename: name }) => /\.tsv(\.gz)?$/i.test(name));
      if (files.length !== 3 || !matrix || tables.length !== 2) throw notConvertible();
      await refuseSecondConversion(client, owner, fileIds);
      await refuseTooMany(client, owner);
      const baseName = request.file_name ?? matrix.original_filename.replace(/\.mtx(\.gz)?$/i, '');
      return insertJob(client, {
        owner,
        kind: 'convert',
        fileIds: [matrix.id, ...tables.map(({ id }) => id)],
        name: `${fileNameOf(baseName.replace(/\.h5ad$/i, ''), 'converted')}.h5ad`,
      });
    });
    this.#wake();
    return jobOf(row);
  }

  /**
   * Inspects a file again. Without choices, previous results are removed, and a running inspection is returned instead
   * of a second one; with choices the report stays until the new one replaces it, and a running inspection is
   * cancelled. Throws ApiFailure 403 or 404.
   */
  async inspect(owner: Owner, fileId: string, { columns, processing }: BuildRequest = {}): Promise<Job> {
    await requirePlan(this.#database.pool, owner);
    const chosen = columns !== undefined || processing !== undefined;
    const row = await this.#database.transaction(async (client) => {
      await lockOwner(client, owner);
      const [file] = await ownFilesOf(client, owner, [fileId]);
      const { rows } = await client.query<JobRow>(
        `select ${jobColumns} from cellfolio.jobs where owner_id = $1 and kind = 'inspect'
           and file_ids = array[$2::uuid] and state in ('queued', 'running')`,
        [owner, fileId],
      );
      if (rows[0] && !chosen) return rows[0];
      for (const { id } of rows) await cancelWithProblem(client, owner, id, newerInspection);
      await client.query(
        'delete from cellfolio.file_reports where file_id = $1 and (report is null or not $2)',
        [fileId, chosen],
      );
      const request = chosen
        ? { columns: columns ?? {}, processing: processing ?? {} }
        : await choicesFor(client, owner, fileId);
      return insertJob(client, {
        owner,
        kind: 'inspect',
        fileIds: [fileId],
        name: file!.file_name,
        request,
      });
    });
    this.#wake();
    return jobOf(row);
  }

  /**
   * Builds the dataset of the file, or that of a copy of the file beside it. An earlier build of the file is cancelled
   * in favour of one in its place. Throws ApiFailure 400, 403, 404, 409 or 429.
   */
  async build(owner: Owner, fileId: string, { beside, ...request }: BuildFileRequest): Promise<Job> {
    await requirePlan(this.#database.pool, owner);
    const row = await this.#database.transaction(async (client) => {
      await lockOwner(client, owner);
      const [file] = await ownFilesOf(client, owner, [fileId]);
      if (!file || !isDatasetFile(file.original_filename)) throw notBuildable();
      await refuseReplaced(client, fileId);
      await refuseUnanswered(client, fileId, request);
      const { columns = {}, processing = {} } = request;
      if (beside) {
        await refuseTooMany(client, owner);
        const { rows } = await client.query<Pick<CopiedRecord, 'made_with'>>(
          'select made_with from cellfolio.custom_datasets where file_id = $1',
          [fileId],
        );
        return insertJob(client, {
          owner,
          kind: 'copy',
          fileIds: [fileId],
          name: fileNameOf(beside.name, file.file_name),
          request: {
            columns,
            processing,
            copy: { file_id: fileId, name: file.file_name, made_with: rows[0]?.made_with ?? null },
          },
        });
      }
      const { rows: earlier } = await client.query<{ id: string }>(
        `select id from cellfolio.jobs where owner_id = $1 and kind = 'build' and file_ids = array[$2::uuid]
           and state in ('queued', 'running')`,
        [owner, fileId],
      );
      for (const { id } of earlier) await cancelWithProblem(client, owner, id, superseded);
      await refuseTooMany(client, owner);
      return queueBuild(client, { owner, fileId, name: file.file_name, columns, processing });
    });
    this.#wake();
    return jobOf(row);
  }
}

const newerInspection = { code: 'superseded', message: 'A newer inspection of the file replaced it.' };
const superseded = { code: 'superseded', message: 'A newer build of the file replaced it.' };

/** Throws ApiFailure 404 unless the caller may do that with the job. */
async function findJob(
  client: Pick<Client, 'query'>,
  caller: Caller,
  action: Action,
  jobId: string,
): Promise<JobRow> {
  const { rows } = await client.query<JobRow>(`select ${jobColumns} from cellfolio.jobs where id = $1`, [
    jobId,
  ]);
  const [job] = rows;
  if (job && may(caller, action, { owner: job.owner_id })) return job;
  throw new ApiFailure(404, 'job_not_found', 'You have no such job.');
}

/** Also records the problem where the job's result is shown. */
async function cancelWithProblem(
  client: Client,
  owner: Owner,
  jobId: string,
  problem: JobProblem,
): Promise<JobRow | undefined> {
  const job = await cancelJob(client, owner, jobId, problem);
  if (!job) return undefined;
  const { recordProblem, cancelledMessage } = jobKinds[job.kind];
  if (cancelledMessage !== undefined)
    await recordProblem?.(client, job, { code: 'cancelled', message: cancelledMessage });
  return job;
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

function notCombinable(message: string): ApiFailure {
  return new ApiFailure(400, 'not_combinable', message);
}

function notAgain(): ApiFailure {
  return new ApiFailure(
    409,
    'not_restartable',
    'Only failed or canceled downloads, combinations, subclusterings and copies can be started again.',
  );
}
