import {
  type ColumnChoice,
  combinedRecord,
  extensionOf,
  type FileReport,
  fileReport,
  type JobProblem,
  processingRecord,
  uploadKind,
} from '@cellfolio/contract';
import type { BlobStore } from '@cellfolio/bytes';
import { countText } from '@cellfolio/model';
import type { Database } from '@cellfolio/platform';
import { type NewUserFile, type UserFileContext, storeOwnFile } from '../store-own-file.ts';
import { closeDatasetRecord, closeFileReport, holdFiles, openDatasetRecord } from '../file-records.ts';
import {
  type Client,
  endRun,
  insertJob,
  type JobRequest,
  type Run,
  LeaseLost,
  storableJson,
  storableText,
} from '../job-table.ts';
import { type BuildResult, type CombineResult, plainName, type SubsetResult } from '../work/index.ts';
import type { JobFile } from './job-inputs.ts';

const maxNameLength = 100;

export interface RecordDeps {
  database: Database;
  blobs: BlobStore;
  storage: Pick<UserFileContext, 'limits' | 'log' | 'now'>;
}

/** Records the inspection's report and the dataset that follows from it, all or nothing. Throws RunLost. */
export async function recordReport(
  { database }: RecordDeps,
  run: Run,
  inspection: FileReport,
): Promise<void> {
  const parsed = fileReport.parse(inspection);
  const { job } = run;
  const fileId = job.file_ids[0]!;
  const { columns, processing, gone } = choicesIn(parsed, job.request);
  const report = parsed.kind === 'h5ad' ? { ...parsed, choices: { columns, processing } } : parsed;
  await database.transaction(async (client) => {
    await holdFiles(client, job.file_ids);
    await endRun(client, run, { notes: gone });
    const { rows } = await client.query<{ file_name: string; built: boolean }>(
      `select f.file_name, d.file_id is not null as built from public.user_files f
       left join cellfolio.custom_datasets d on d.file_id = f.id
       where f.id = $1`,
      [fileId],
    );
    if (!rows[0]) throw new LeaseLost();
    await client.query(
      `insert into cellfolio.file_reports (file_id, report) values ($1, $2::jsonb)
       on conflict (file_id) do update set report = excluded.report, problem = null, inspected_at = now()`,
      [fileId, storableJson(report)],
    );
    // Nothing is made of a file whose owner has a question to answer.
    if (report.kind === 'h5ad' && report.waitsFor.length === 0 && !rows[0].built) {
      const build = await insertJob(client, {
        userId: job.user_id,
        kind: 'build',
        fileIds: [fileId],
        name: rows[0].file_name,
        request: { columns, processing },
      });
      await openDatasetRecord(client, { fileId, jobId: build.id, columns, processing });
    }
  });
}

/** Choices for earlier bytes, as far as these bytes have them; and sentences about those that they lack. */
function choicesIn(
  report: FileReport,
  { columns: before = {}, processing: chosen = {}, replaced }: JobRequest,
) {
  const roles = report.kind === 'h5ad' ? report.roles : [];
  const columns: ColumnChoice = {};
  const gone: string[] = [];
  for (const { role, chosen, alternatives } of roles) {
    const name = before[role];
    if (name === undefined) continue;
    if (chosen === name || alternatives.includes(name)) columns[role] = name;
    else
      gone.push(
        `The new file has no '${plainName(name)}' that was chosen before; a matching column is detected again.`,
      );
  }
  if (before.expression !== undefined && !replaced) columns.expression = before.expression;
  else if (before.expression !== undefined)
    gone.push('The scale of the values was given for the previous file, and is detected again.');
  if (before.genesIn !== undefined && !replaced) columns.genesIn = before.genesIn;
  const { sampleColumn, ...processing } = chosen;
  const sampleColumns = report.kind === 'h5ad' ? report.quality?.sampleColumns : undefined;
  // Where nobody looked, the build does.
  const isValid =
    sampleColumn === null || sampleColumns === undefined || sampleColumns.includes(sampleColumn ?? '');
  if (sampleColumn === undefined) return { columns, processing, gone };
  if (isValid) return { columns, processing: { ...processing, sampleColumn }, gone };
  gone.push(
    `The new file has no samples '${plainName(sampleColumn)}' that were chosen before; they are detected again.`,
  );
  return { columns, processing, gone };
}

/** Records a dataset that is already stored. Throws RunLost. */
export async function recordDataset(
  { database }: RecordDeps,
  run: Run,
  result: BuildResult,
  notes: readonly string[],
): Promise<void> {
  const processed = result.processed && processingRecord.parse(result.processed);
  await database.transaction(async (client) => {
    await endRun(client, run, { notes });
    const { rowCount } = await client.query(
      `update cellfolio.custom_datasets
       set made_before = case when version = $2 then made_before else made_with end,
         made_with = jsonb_build_object('version', $2::text, 'columns', columns, 'processing', processing),
         version = $2, cells = $3, genes = $4, processed = $5::jsonb, warnings = $6, problem = null, updated_at = now()
       where job_id = $1`,
      [
        run.job.id,
        result.version,
        result.cells,
        result.genes,
        processed ? storableJson(processed) : null,
        result.notes,
      ],
    );
    if (rowCount === 0) throw new LeaseLost();
  });
}

/** Adds the converted file to its owner's files and ends the run. Throws as recordNewFile. */
export function recordConversion(
  deps: RecordDeps,
  run: Run,
  output: Pick<MadeFile, 'notes' | 'path' | 'signal'>,
): Promise<void> {
  return recordNewFile(deps, run, { ...output, ...ofAnnData(run) });
}

/** As `recordConversion`, for a combined file; the choices for its samples are passed on to its dataset. */
export function recordCombination(
  deps: RecordDeps,
  run: Run,
  { record, ...made }: Pick<MadeFile, 'notes' | 'path' | 'signal'> & Pick<CombineResult, 'record'>,
): Promise<void> {
  const parsed = combinedRecord.parse(record);
  const choices: JobRequest = { processing: { samples: run.job.request.combine?.choices ?? {} } };
  return recordNewFile(deps, run, {
    ...made,
    ...ofAnnData(run),
    also: async (client, fileId) => {
      await client.query('insert into cellfolio.combined_files (file_id, record) values ($1, $2::jsonb)', [
        fileId,
        storableJson(parsed),
      ]);
      await chooseFor(client, run, fileId, choices);
    },
  });
}

/** As `recordConversion`, for a file of some cells of a dataset; records the dataset they came from. */
export function recordSubset(
  deps: RecordDeps,
  run: Run,
  { columns, ...made }: Pick<MadeFile, 'notes' | 'path' | 'signal'> & Pick<SubsetResult, 'columns'>,
): Promise<void> {
  const { part, processing } = run.job.request.subset!;
  return recordNewFile(deps, run, {
    ...made,
    ...ofAnnData(run),
    description: `Part of ${part.name}: ${countText(part.cells)} of ${countText(part.of_cells)} cells, ${part.definition}`,
    also: async (client, fileId) => {
      await client.query(
        'insert into cellfolio.subclusterings (file_id, parent_id, record) values ($1, $2, $3::jsonb)',
        [fileId, part.dataset_filename, storableJson(part)],
      );
      await chooseFor(client, run, fileId, { columns, processing });
    },
  });
}

/**
 * Adds a copy of a file with the records of its cells to its owner's files, and queues the build of its dataset with
 * the choices: its owner has already answered what the inspection would ask. Throws as recordNewFile.
 */
export function recordCopy(
  deps: RecordDeps,
  run: Run,
  { file, signal }: { file: JobFile; signal: AbortSignal },
): Promise<void> {
  const { job } = run;
  const { columns = {}, processing = {}, copy } = job.request;
  const extension = extensionOf(file.original_filename);
  return recordNewFile(deps, run, {
    path: file.input.path,
    fileName: job.name,
    originalFilename: `${job.name}${extension}`,
    extension,
    description: file.description,
    mimeType: uploadKind(file.original_filename)?.mimeType ?? 'application/octet-stream',
    notes: [],
    signal,
    also: async (client, fileId) => {
      await client.query('insert into cellfolio.copied_files (file_id, record) values ($1, $2::jsonb)', [
        fileId,
        storableJson(copy),
      ]);
      await client.query(
        `insert into cellfolio.combined_files (file_id, record)
         select $1, record from cellfolio.combined_files where file_id = $2`,
        [fileId, file.id],
      );
      await client.query(
        `insert into cellfolio.subclusterings (file_id, parent_id, record)
         select $1, parent_id, record from cellfolio.subclusterings where file_id = $2`,
        [fileId, file.id],
      );
      await chooseFor(client, run, fileId, { columns, processing });
      const build = await insertJob(client, {
        userId: job.user_id,
        kind: 'build',
        fileIds: [fileId],
        name: job.name,
        request: { columns, processing },
      });
      await openDatasetRecord(client, { fileId, jobId: build.id, columns, processing });
    },
  });
}

/** Stores choices for the inspection of a new file and the build that follows from it. */
async function chooseFor(client: Client, { job }: Run, fileId: string, choices: JobRequest): Promise<void> {
  await client.query(
    `update cellfolio.jobs set request = $3::jsonb
     where user_id = $1 and kind = 'inspect' and file_ids = array[$2::uuid] and state = 'queued'`,
    [job.user_id, fileId, storableJson(choices)],
  );
}

function ofAnnData({ job }: Run) {
  const fileName = job.name.replace(/\.h5ad$/i, '');
  return {
    fileName,
    originalFilename: `${fileName}.h5ad`,
    extension: '.h5ad',
    description: null,
    mimeType: 'application/x-hdf5',
  };
}

export interface MadeFile extends Pick<
  NewUserFile,
  'fileName' | 'originalFilename' | 'description' | 'mimeType'
> {
  path: string;
  /** As in the name of an upload: `.h5ad`, `.mtx.gz`. */
  extension: string;
  notes: readonly string[];
  signal: AbortSignal;
  /** Runs in the transaction that adds the file to its owner's files. */
  also?: (client: Client, fileId: string) => Promise<void>;
}

/**
 * Adds a new file to its owner's files and ends the run, both or neither. Throws RunLost, StorageError,
 * StoreWriteFailed.
 */
export async function recordNewFile(
  { database, blobs, storage }: RecordDeps,
  run: Run,
  { path, extension, notes, also, ...file }: MadeFile,
): Promise<void> {
  await storeOwnFile(
    { ...storage, database, blobs },
    {
      ...file,
      userId: run.job.user_id,
      source: path,
      key: storedName(file.fileName, extension, storage.now()),
      also: async (client, resultFileId) => {
        await also?.(client, resultFileId);
        await endRun(client, run, { notes, resultFileId });
      },
    },
  );
}

/** File name in its owner's folder, as for uploads: with characters that need no escaping in an address. */
function storedName(name: string, extension: string, now: number): string {
  const safeName = name
    .trim()
    .replaceAll(/[^\w\-.]/g, '_')
    .slice(0, maxNameLength);
  return `${now}_${safeName}${extension}`;
}

/** Throws RunLost. */
export async function recordFailure(
  { database }: Pick<RecordDeps, 'database'>,
  run: Run,
  { code, message }: JobProblem,
): Promise<void> {
  const { job } = run;
  const problem = { code, message: storableText(message).slice(0, 2000) };
  await database.transaction(async (client) => {
    await holdFiles(client, job.file_ids);
    await endRun(client, run, { notes: [], problem });
    if (job.kind === 'build') await closeDatasetRecord(client, job.id, problem);
    if (job.kind === 'inspect') await closeFileReport(client, job.file_ids[0]!, problem);
  });
}
