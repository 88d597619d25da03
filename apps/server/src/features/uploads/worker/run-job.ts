import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ColumnChoice, FileReport, JobProblem } from '@cellfolio/contract';
import { isStoreUnavailable } from '@cellfolio/bytes';
import type { CatalogueEntry } from '@cellfolio/model';
import { isDatabaseAway, isDiskFull } from '@cellfolio/platform';
import { customDatasetId, type StorePlace } from '@cellfolio/store';
import type { ObservedRun } from '../../../runtime/observability/observed.ts';
import {
  type JobKind,
  type JobRequest,
  maxAttempts,
  releaseLost,
  requeueRun,
  type Run,
  RunLost,
} from '../job-table.ts';
import type { BuildResult, ConvertResult, Work } from '../work/index.ts';
import { InputMissing, type JobFile, openInputs } from './job-inputs.ts';
import {
  problemOfStorage,
  type RecordParts,
  recordConversion,
  recordDataset,
  recordFailure,
  recordReport,
  broken,
  lostTwice,
  missing,
  noRoom,
  outOfMemory,
  tookTooLong,
} from './record-result.ts';
import { type Ending, runChild } from './run-child.ts';
import { RunProgress, type RunProgressOptions } from './run-progress.ts';

export interface RunParts extends RecordParts, RunProgressOptions {
  /** Where datasets are written. */
  readonly objectRoot: StorePlace;
  /** Folder in which each run has its own. */
  readonly scratchRoot: string;
  readonly workModule: string;
  readonly memoryBytes: number;
  readonly timeLimitsMs: Readonly<Record<JobKind, number>>;
  /** Before a job begins anew whose files were out of reach. */
  readonly awayMs: number;
  /** A dataset may have been built though its run does not count: puts the record right. */
  readonly settleDataset: (fileId: string, jobId: string) => Promise<void>;
  /** Takes away a dataset that was made of bytes that are gone. */
  readonly clearOutdated: (fileId: string) => Promise<void>;
  /** A dataset was built anew. */
  readonly onBuilt: (datasetId: string) => Promise<void>;
  /** A run ended, one way or another. */
  readonly onRunEnded: (run: ObservedRun) => void;
}

type Outcome = ObservedRun['outcome'];

export const usualTimeLimitsMs: RunParts['timeLimitsMs'] = {
  // Where cells would be taken away, all counts are read.
  inspect: 20 * 60_000,
  convert: 3600_000,
  build: 2 * 3600_000,
};

const recordPatienceMs = 60_000;
/** Of copying files from a store over the network, which for a large one takes longer than looking at it. */
const copyLimitMs = 3600_000;
export const usualAwayMs = 5000;
/** What the work itself cannot mend, and time may. */
const passing = new Set(['not_stored', 'no_space']);

/** Does one job that was taken, or hands it back when `shutdown` aborts. Never rejects. */
export async function runJob(parts: RunParts, run: Run, shutdown: AbortSignal): Promise<void> {
  const begun = performance.now();
  try {
    const outcome = await outcomeOf(parts, run, shutdown);
    parts.onRunEnded({ kind: run.job.kind, outcome, seconds: (performance.now() - begun) / 1000 });
  } catch (error) {
    // Somebody takes the job when its lease is over.
    parts.logError(error, run.job.id);
  }
}

async function outcomeOf(parts: RunParts, run: Run, shutdown: AbortSignal): Promise<Outcome> {
  try {
    if (run.job.attempts > maxAttempts) return await failed(parts, run, lostTwice);
    return await perform(parts, run, shutdown);
  } catch (error) {
    if (!(error instanceof RunLost)) throw error;
    const { job } = run;
    // Before the owner's next build begins.
    if (job.kind === 'build') await parts.settleDataset(job.file_ids[0]!, job.id);
    await releaseLost(parts.database, run);
    return 'taken away';
  }
}

async function perform(parts: RunParts, run: Run, shutdown: AbortSignal): Promise<Outcome> {
  const scratch = join(parts.scratchRoot, run.token);
  const progress = new RunProgress(parts, run);
  const lost = progress.lost.signal;
  const signal = AbortSignal.any([shutdown, lost]);
  try {
    await mkdir(scratch, { recursive: true, mode: 0o700 });
    if (run.job.kind === 'inspect') await parts.clearOutdated(run.job.file_ids[0]!);
    const patience = AbortSignal.timeout(copyLimitMs);
    const files = await openInputs(parts, run.job.file_ids, scratch, AbortSignal.any([signal, patience]));
    const ending = await runChild({
      workModule: parts.workModule,
      work: workOf(parts, run, files, scratch),
      scratch,
      memoryBytes: parts.memoryBytes,
      timeLimitMs: parts.timeLimitsMs[run.job.kind],
      signal,
      onProgress: (stage, fraction) => progress.progress(stage, fraction),
      onLog: (text) => progress.log(text),
    });
    await progress.look();
    if (lost.aborted) throw new RunLost();
    return await record(parts, run, ending, {
      scratch,
      signal,
      logged: (text) => progress.hasLogged(text),
    });
  } catch (error) {
    if (error instanceof RunLost || lost.aborted) throw new RunLost();
    if (shutdown.aborted) return await handBack(parts, run);
    if (error instanceof InputMissing) return await failed(parts, run, missing(error));
    parts.logError(error, run.job.id);
    if (isStoreUnavailable(error) || isDatabaseAway(error)) return await comeAgain(parts, run, signal);
    return await tryAgain(parts, run, isDiskFull(error) ? noRoom : broken);
  } finally {
    await progress.stop();
    await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** What the values are is known of the bytes that it was said of alone. */
function columnsToTry({ columns = {}, replaced }: JobRequest): ColumnChoice {
  const { expression, ...named } = columns;
  return replaced || expression === undefined ? named : { ...named, expression };
}

function workOf(parts: RunParts, { job }: Run, files: readonly JobFile[], scratch: string): Work {
  const [first, second, third] = files;
  if (!first) throw new Error(`The job ${job.id} has no file.`);
  switch (job.kind) {
    case 'inspect':
      return {
        kind: 'inspect',
        file: first.input,
        columns: columnsToTry(job.request),
        processing: job.request.processing ?? {},
        memoryBytes: parts.memoryBytes,
      };
    case 'convert':
      if (!second || !third) throw new Error(`The job ${job.id} has not three files.`);
      return {
        kind: 'convert',
        matrix: first.input,
        tables: [second.input, third.input],
        output: outputOf(scratch),
      };
    case 'build':
      return {
        kind: 'build',
        file: first.input,
        root: parts.objectRoot,
        datasetId: customDatasetId(first.id),
        catalogue: catalogueEntryOf(first),
        columns: job.request.columns ?? {},
        processing: job.request.processing ?? {},
        memoryBytes: parts.memoryBytes,
      };
  }
}

/** How a user's own dataset is described where the public ones have their entry of the catalogue. */
function catalogueEntryOf({ file_name, description }: JobFile): CatalogueEntry {
  return {
    name: file_name,
    disease: 'Custom Data',
    subdisease: 'Not Available',
    category1: '',
    category2: '',
    description: description ?? '',
    simulated: false,
  };
}

const outputOf = (scratch: string) => join(scratch, 'converted.h5ad');

interface RecordSurroundings {
  readonly scratch: string;
  readonly signal: AbortSignal;
  /** Whether the log says it already. */
  readonly logged: (text: string) => boolean;
}

async function record(
  parts: RunParts,
  run: Run,
  ending: Ending,
  around: RecordSurroundings,
): Promise<Outcome> {
  switch (ending.kind) {
    case 'result':
      return recordResult(parts, run, ending.result, around);
    case 'problem':
      if (ending.fault !== null) parts.logError(new Error(ending.fault), run.job.id);
      // The store may be back by then, and another machine may have room.
      if (passing.has(ending.problem.code)) return tryAgain(parts, run, ending.problem);
      return failed(parts, run, ending.problem);
    case 'stopped':
      return handBack(parts, run);
    case 'too-long':
      return failed(parts, run, tookTooLong(parts.timeLimitsMs[run.job.kind]));
    case 'too-large':
      return tryAgain(parts, run, outOfMemory(parts.memoryBytes));
    case 'died':
      parts.logError(new Error(`The process of a job ended: ${ending.how}`), run.job.id);
      return tryAgain(parts, run, broken);
  }
}

async function recordResult(
  parts: RunParts,
  run: Run,
  result: FileReport | ConvertResult | BuildResult,
  { scratch, signal, logged }: RecordSurroundings,
): Promise<Outcome> {
  const unsaid = (notes: readonly string[]) => notes.filter((note) => !logged(note));
  switch (run.job.kind) {
    case 'inspect':
      await patiently(() => recordReport(parts, run, result as FileReport));
      return 'done';
    case 'build': {
      const built = result as BuildResult;
      await patiently(() => recordDataset(parts, run, built, unsaid(built.notes)));
      await parts.onBuilt(customDatasetId(run.job.file_ids[0]!));
      return 'done';
    }
    case 'convert':
      try {
        const { notes } = result as ConvertResult;
        await recordConversion(parts, run, { notes: unsaid(notes), path: outputOf(scratch), signal });
        return 'done';
      } catch (error) {
        const problem = problemOfStorage(error);
        if (!problem) throw error;
        return failed(parts, run, problem);
      }
  }
}

/** A database that is away for a moment must not cost what took an hour. */
async function patiently(work: () => Promise<void>): Promise<void> {
  const begun = performance.now();
  for (let wait = 250; ; wait = Math.min(wait * 2, 5000)) {
    try {
      return await work();
    } catch (error) {
      const lasting = error instanceof RunLost || (error as Error).name === 'ZodError';
      if (lasting || performance.now() - begun > recordPatienceMs) throw error;
      await pause(wait);
    }
  }
}

async function failed(parts: RunParts, run: Run, problem: JobProblem): Promise<Outcome> {
  await patiently(() => recordFailure(parts, run, problem));
  return 'failed';
}

async function handBack(parts: RunParts, run: Run): Promise<Outcome> {
  await requeueRun(parts.database, run, {
    counts: false,
    why: 'The server stops; the work begins again when it is back.',
  });
  return 'handed back';
}

/** What the work stands on is away: that is no attempt, and other jobs are not to be taken into it. */
async function comeAgain(parts: RunParts, run: Run, signal: AbortSignal): Promise<Outcome> {
  await pause(parts.awayMs, undefined, { signal }).catch(() => undefined);
  const why = 'Files cannot be read or stored at the moment; the work begins again when they can.';
  await patiently(() => requeueRun(parts.database, run, { counts: false, why }));
  return 'handed back';
}

async function tryAgain(parts: RunParts, run: Run, problem: JobProblem): Promise<Outcome> {
  if (run.job.attempts >= maxAttempts) return failed(parts, run, problem);
  await patiently(() =>
    requeueRun(parts.database, run, {
      counts: true,
      why: 'The work ended unexpectedly and is tried once more.',
    }),
  );
  return 'tried again';
}
