import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ColumnChoice, FileReport, JobProblem } from '@cellfolio/contract';
import { isStoreUnavailable } from '@cellfolio/bytes';
import type { CatalogueEntry } from '@cellfolio/model';
import { isDatabaseUnavailable, isDiskFull } from '@cellfolio/platform';
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
  type RecordDeps,
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
import { type RunOutcome, runChild } from './run-child.ts';
import { RunProgress, type RunProgressOptions } from './run-progress.ts';

export interface RunDeps extends RecordDeps, RunProgressOptions {
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

export const defaultTimeLimitsMs: RunDeps['timeLimitsMs'] = {
  // Where cells would be taken away, all counts are read.
  inspect: 20 * 60_000,
  convert: 3600_000,
  build: 2 * 3600_000,
};

const recordTimeoutMs = 60_000;
/** Of copying files from a store over the network, which for a large one takes longer than looking at it. */
const copyLimitMs = 3600_000;
export const defaultAwayMs = 5000;
/** What the work itself cannot mend, and time may. */
const passing = new Set(['not_stored', 'no_space']);

/** Does one job that was taken, or hands it back when `shutdown` aborts. Never rejects. */
export async function runJob(deps: RunDeps, run: Run, shutdown: AbortSignal): Promise<void> {
  const begun = performance.now();
  try {
    const outcome = await outcomeOf(deps, run, shutdown);
    deps.onRunEnded({ kind: run.job.kind, outcome, seconds: (performance.now() - begun) / 1000 });
  } catch (error) {
    // Somebody takes the job when its lease is over.
    deps.logError(error, run.job.id);
  }
}

async function outcomeOf(deps: RunDeps, run: Run, shutdown: AbortSignal): Promise<Outcome> {
  try {
    if (run.job.attempts > maxAttempts) return await failed(deps, run, lostTwice);
    return await perform(deps, run, shutdown);
  } catch (error) {
    if (!(error instanceof RunLost)) throw error;
    const { job } = run;
    // Before the owner's next build begins.
    if (job.kind === 'build') await deps.settleDataset(job.file_ids[0]!, job.id);
    await releaseLost(deps.database, run);
    return 'taken away';
  }
}

async function perform(deps: RunDeps, run: Run, shutdown: AbortSignal): Promise<Outcome> {
  const scratch = join(deps.scratchRoot, run.token);
  const progress = new RunProgress(deps, run);
  const lost = progress.lost.signal;
  const signal = AbortSignal.any([shutdown, lost]);
  try {
    await mkdir(scratch, { recursive: true, mode: 0o700 });
    if (run.job.kind === 'inspect') await deps.clearOutdated(run.job.file_ids[0]!);
    const copyTimeout = AbortSignal.timeout(copyLimitMs);
    const files = await openInputs(deps, run.job.file_ids, scratch, AbortSignal.any([signal, copyTimeout]));
    const outcome = await runChild({
      workModule: deps.workModule,
      work: workOf(deps, run, files, scratch),
      scratch,
      memoryBytes: deps.memoryBytes,
      timeLimitMs: deps.timeLimitsMs[run.job.kind],
      signal,
      onProgress: (stage, fraction) => progress.progress(stage, fraction),
      onLog: (text) => progress.log(text),
    });
    await progress.look();
    if (lost.aborted) throw new RunLost();
    return await record(deps, run, outcome, {
      scratch,
      signal,
      logged: (text) => progress.hasLogged(text),
    });
  } catch (error) {
    if (error instanceof RunLost || lost.aborted) throw new RunLost();
    if (shutdown.aborted) return await handBack(deps, run);
    if (error instanceof InputMissing) return await failed(deps, run, missing(error));
    deps.logError(error, run.job.id);
    if (isStoreUnavailable(error) || isDatabaseUnavailable(error)) return await retryLater(deps, run, signal);
    return await tryAgain(deps, run, isDiskFull(error) ? noRoom : broken);
  } finally {
    await progress.stop();
    await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** What the values are, and where a table has its genes, is known of the bytes that it was said of alone. */
function columnsToTry({ columns = {}, replaced }: JobRequest): ColumnChoice {
  if (!replaced) return columns;
  const { expression: _, genesIn: __, ...named } = columns;
  return named;
}

function workOf(deps: RunDeps, { job }: Run, files: readonly JobFile[], scratch: string): Work {
  const [first, second, third] = files;
  if (!first) throw new Error(`The job ${job.id} has no file.`);
  switch (job.kind) {
    case 'inspect':
      return {
        kind: 'inspect',
        file: first.input,
        columns: columnsToTry(job.request),
        processing: job.request.processing ?? {},
        memoryBytes: deps.memoryBytes,
      };
    case 'convert':
      if (!second || !third) throw new Error(`The job ${job.id} does not have three files.`);
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
        root: deps.objectRoot,
        datasetId: customDatasetId(first.id),
        catalogue: catalogueEntryOf(first),
        columns: job.request.columns ?? {},
        processing: job.request.processing ?? {},
        memoryBytes: deps.memoryBytes,
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

interface RecordContext {
  readonly scratch: string;
  readonly signal: AbortSignal;
  /** Whether the log says it already. */
  readonly logged: (text: string) => boolean;
}

async function record(
  deps: RunDeps,
  run: Run,
  outcome: RunOutcome,
  context: RecordContext,
): Promise<Outcome> {
  switch (outcome.kind) {
    case 'result':
      return recordResult(deps, run, outcome.result, context);
    case 'problem':
      if (outcome.fault !== null) deps.logError(new Error(outcome.fault), run.job.id);
      // The store may be back by then, and another machine may have room.
      if (passing.has(outcome.problem.code)) return tryAgain(deps, run, outcome.problem);
      return failed(deps, run, outcome.problem);
    case 'stopped':
      return handBack(deps, run);
    case 'too-long':
      return failed(deps, run, tookTooLong(deps.timeLimitsMs[run.job.kind]));
    case 'too-large':
      return tryAgain(deps, run, outOfMemory(deps.memoryBytes));
    case 'died':
      deps.logError(new Error(`The process of a job ended: ${outcome.how}`), run.job.id);
      return tryAgain(deps, run, broken);
  }
}

async function recordResult(
  deps: RunDeps,
  run: Run,
  result: FileReport | ConvertResult | BuildResult,
  { scratch, signal, logged }: RecordContext,
): Promise<Outcome> {
  const unsaid = (notes: readonly string[]) => notes.filter((note) => !logged(note));
  switch (run.job.kind) {
    case 'inspect':
      await patiently(() => recordReport(deps, run, result as FileReport));
      return 'done';
    case 'build': {
      const built = result as BuildResult;
      await patiently(() => recordDataset(deps, run, built, unsaid(built.notes)));
      await deps.onBuilt(customDatasetId(run.job.file_ids[0]!));
      return 'done';
    }
    case 'convert':
      try {
        const { notes } = result as ConvertResult;
        await recordConversion(deps, run, { notes: unsaid(notes), path: outputOf(scratch), signal });
        return 'done';
      } catch (error) {
        const problem = problemOfStorage(error);
        if (!problem) throw error;
        return failed(deps, run, problem);
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
      if (lasting || performance.now() - begun > recordTimeoutMs) throw error;
      await pause(wait);
    }
  }
}

async function failed(deps: RunDeps, run: Run, problem: JobProblem): Promise<Outcome> {
  await patiently(() => recordFailure(deps, run, problem));
  return 'failed';
}

async function handBack(deps: RunDeps, run: Run): Promise<Outcome> {
  await requeueRun(deps.database, run, {
    counts: false,
    why: 'The server is stopping; the job starts again when it is back.',
  });
  return 'handed back';
}

/** What the work stands on is away: that is no attempt, and other jobs are not to be taken into it. */
async function retryLater(deps: RunDeps, run: Run, signal: AbortSignal): Promise<Outcome> {
  await pause(deps.awayMs, undefined, { signal }).catch(() => undefined);
  const why = 'Files cannot be read or stored at the moment; the job starts again when they can.';
  await patiently(() => requeueRun(deps.database, run, { counts: false, why }));
  return 'handed back';
}

async function tryAgain(deps: RunDeps, run: Run, problem: JobProblem): Promise<Outcome> {
  if (run.job.attempts >= maxAttempts) return failed(deps, run, problem);
  await patiently(() =>
    requeueRun(deps.database, run, {
      counts: true,
      why: 'The job ended unexpectedly and is tried once more.',
    }),
  );
  return 'tried again';
}
