import { stat } from 'node:fs/promises';
import { type ColumnChoice, type FileReport, fileReport } from '@cellfolio/contract';
import { closeFileReport, holdFiles } from '../file-records.ts';
import { endRun, type JobRequest, LeaseLost, type Run, storableJson } from '../job-table.ts';
import { type InspectWork, plainName } from '../work/index.ts';
import { openInput, quotaRoom } from '../worker/job-inputs.ts';
import { notInspected } from '../worker/job-problems.ts';
import type { JobKindRules } from './job-kind.ts';
import { queueBuild, type RecordDeps, withRetries } from './record-file.ts';

/** Looks at a file; the build of its dataset follows unless its owner has a question to answer. */
export const inspect: JobKindRules<InspectWork> = {
  lane: 'inspect',
  // Where cells would be taken away, all counts are read. Of a small file it is less (`inspectionLimitMs`).
  limitMs: 20 * 60_000,
  isRestartable: false,
  async open(deps, run, { scratch, signal, limitMs }) {
    const { request } = run.job;
    await deps.clearOutdated(run.job.file_ids[0]!);
    const file = await openInput(deps, run, { scratch, signal });
    return {
      work: {
        kind: 'inspect',
        file: file.input,
        columns: columnsToTry(request),
        processing: request.processing ?? {},
        combined: file.combined ?? undefined,
        isPart: file.part_of !== null,
        memoryBytes: deps.memoryBytes,
        maxCarried: await quotaRoom(deps, run, file.id),
      },
      limitMs: inspectionLimitMs((await stat(file.input.path)).size, limitMs),
      record: (report) => withRetries(() => recordReport(deps, run, report)),
    };
  },
  tooLong: notInspected,
  async recordProblem(client, { file_ids }, problem) {
    for (const fileId of file_ids) await closeFileReport(client, fileId, problem);
  },
  cancelledMessage: 'The inspection was canceled.',
};

/**
 * Base time limit of an inspection, plus that for the file size: a few kilobytes must not block a slot that others wait
 * for.
 */
const inspectBaseMs = 3 * 60_000;
/** Half a megabyte per second. Reading and measuring take a tenth of that, even for tables compressed to a fiftieth. */
const inspectMsPerByte = 2000 / 1e6;

/** Time limit for inspecting a file of the given size; `maxMs` is that of a large one. */
export function inspectionLimitMs(bytes: number, maxMs: number): number {
  return Math.min(maxMs, inspectBaseMs + Math.round(bytes * inspectMsPerByte));
}

/** Kind of values and orientation of a table only apply to the bytes they were stated for. */
function columnsToTry({ columns = {}, replaced }: JobRequest): ColumnChoice {
  if (!replaced) return columns;
  const { expression: _, genesIn: __, ...named } = columns;
  return named;
}

/** Records the inspection's report and the dataset that follows from it, all or nothing. Throws LeaseLost. */
async function recordReport(
  { database }: Pick<RecordDeps, 'database'>,
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
    if (report.kind === 'h5ad' && report.waitsFor.length === 0 && !rows[0].built && !job.request.unbuilt) {
      const name = rows[0].file_name;
      await queueBuild(client, { owner: job.owner_id, fileId, name, columns, processing });
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
  // Without measured columns the build checks it.
  const isValid =
    sampleColumn === null || sampleColumns === undefined || sampleColumns.includes(sampleColumn ?? '');
  if (sampleColumn === undefined) return { columns, processing, gone };
  if (isValid) return { columns, processing: { ...processing, sampleColumn }, gone };
  gone.push(
    `The new file has no samples '${plainName(sampleColumn)}' that were chosen before; they are detected again.`,
  );
  return { columns, processing, gone };
}
