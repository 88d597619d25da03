import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FileReport, JobProblem } from '@cellfolio/contract';
import { isStoreUnavailable } from '@cellfolio/bytes';
import { isDatabaseUnavailable, isDiskFull } from '@cellfolio/platform';
import { customDatasetId, type StorePlace } from '@cellfolio/store';
import type { ObservedRun } from '../../../runtime/observability/observed.ts';
import {
  type JobKind,
  maxAttempts,
  releaseLostLease,
  requeueRun,
  type Run,
  LeaseLost,
} from '../job-table.ts';
import type {
  BuildResult,
  CombineResult,
  ConvertResult,
  SubsetResult,
  Work,
  WorkResults,
} from '../work/index.ts';
import { InputMissing, type JobFile, openInputs } from './job-inputs.ts';
import {
  broken,
  lostTwice,
  missing,
  noRoom,
  notInspected,
  outOfMemory,
  problemOfStorage,
  tookTooLong,
} from './job-problems.ts';
import {
  type RecordDeps,
  recordCombination,
  recordConversion,
  recordCopy,
  recordDataset,
  recordFailure,
  recordReport,
  recordSubset,
} from './record-result.ts';
import { type RunOutcome, runChild } from './run-child.ts';
import {
  type DownloadDeps,
  type DownloadedFiles,
  downloadFiles,
  DownloadRefused,
  forgetDownload,
  recordDownload,
} from './run-download.ts';
import { RunProgress, type RunProgressOptions } from './run-progress.ts';
import { subsetInput } from './subset-input.ts';
import { conversionOf, outputOf, workOf } from './work-of-job.ts';

export interface RunDeps extends RecordDeps, RunProgressOptions, DownloadDeps {
  objectRoot: StorePlace;
  scratchRoot: string;
  workModule: string;
  memoryBytes: number;
  /** Runs the conversions of downloads one after the other. */
  convertInTurn: <T>(work: () => Promise<T>) => Promise<T>;
  timeLimitsMs: Readonly<Record<JobKind, number>>;
  awayMs: number;
  /** Corrects the record when a dataset was built although its run does not count. */
  settleDataset: (fileId: string, jobId: string) => Promise<void>;
  /** Removes a dataset built from bytes that are gone. */
  clearOutdated: (fileId: string) => Promise<void>;
  onBuilt: (datasetId: string) => Promise<void>;
  onRunEnded: (run: ObservedRun) => void;
}

type Outcome = ObservedRun['outcome'];

export const defaultTimeLimitsMs: RunDeps['timeLimitsMs'] = {
  // Where cells would be taken away, all counts are read. Of a small file it is less (`inspectionLimitMs`).
  inspect: 20 * 60_000,
  convert: 3600_000,
  build: 2 * 3600_000,
  combine: 2 * 3600_000,
  download: 12 * 3600_000,
  subset: 2 * 3600_000,
  copy: 3600_000,
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

const recordTimeoutMs = 60_000;
/** Time limit for copying files from a networked store, which for a large file takes longer than inspecting it. */
const copyLimitMs = 3600_000;
export const defaultAwayMs = 5000;
/** Transient problems: retrying later may succeed. */
const transientProblems = new Set(['not_stored', 'no_space']);

/** Runs one leased job, or requeues it when `shutdown` aborts. Never rejects. */
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
    if (!(error instanceof LeaseLost)) throw error;
    const { job } = run;
    // Before the owner's next build begins.
    if (job.kind === 'build') await deps.settleDataset(job.file_ids[0]!, job.id);
    if (job.kind === 'download') await forgetDownload(deps, run);
    await releaseLostLease(deps.database, run);
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
    const context = { scratch, signal, progress };
    if (run.job.kind === 'download') return await performDownload(deps, run, context);
    const copyTimeout = AbortSignal.timeout(copyLimitMs);
    const files = await openInputs(deps, run.job.file_ids, scratch, AbortSignal.any([signal, copyTimeout]));
    if (run.job.kind === 'copy') {
      progress.progress('Copying the file', 0);
      return await record(deps, run, nothingToDo, { ...context, copied: files[0]! });
    }
    const log = (text: string) => progress.log(text);
    const subset =
      run.job.kind === 'subset' ? await subsetInput(deps.database, run, { scratch, log }) : undefined;
    const work = workOf(deps, run, { files, subset, scratch });
    return await record(deps, run, await workedOn(deps, { ...context, work }), context);
  } catch (error) {
    if (error instanceof LeaseLost || lost.aborted) throw new LeaseLost();
    if (shutdown.aborted) return await handBack(deps, run);
    if (error instanceof DownloadRefused) return await failed(deps, run, error);
    if (error instanceof InputMissing) return await failed(deps, run, missing(error));
    deps.logError(error, run.job.id);
    if (isStoreUnavailable(error) || isDatabaseUnavailable(error)) return await retryLater(deps, run, signal);
    return await tryAgain(deps, run, isDiskFull(error) ? noRoom : broken);
  } finally {
    await progress.stop();
    await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}

interface RunContext {
  scratch: string;
  signal: AbortSignal;
  progress: RunProgress;
  downloaded?: DownloadedFiles;
  copied?: JobFile;
}

/** For a job whose files are stored unchanged. */
const nothingToDo: RunOutcome = { kind: 'result', result: { cells: 0, genes: 0, entries: 0, notes: [] } };

/** Runs the work in its child process. Throws RunLost. */
async function workedOn(
  deps: RunDeps,
  { work, scratch, signal, progress, from = 0 }: RunContext & { work: Work; from?: number },
): Promise<RunOutcome> {
  const limitMs = deps.timeLimitsMs[work.kind];
  const outcome = await runChild({
    workModule: deps.workModule,
    work,
    scratch,
    memoryBytes: deps.memoryBytes,
    timeLimitMs:
      work.kind === 'inspect' ? inspectionLimitMs((await stat(work.file.path)).size, limitMs) : limitMs,
    signal,
    onProgress: (stage, fraction) => progress.progress(stage, from + (1 - from) * fraction),
    onLog: (text) => progress.log(text),
  });
  await progress.look();
  if (progress.lost.signal.aborted) throw new LeaseLost();
  return outcome;
}

const arrivedShare = 0.8;

/** Downloads files; a matrix and its tables are converted to one. Throws DownloadRefused, RunLost. */
async function performDownload(deps: RunDeps, run: Run, context: RunContext): Promise<Outcome> {
  const { signal, progress, scratch } = context;
  const limitMs = deps.timeLimitsMs.download;
  const timeout = AbortSignal.timeout(limitMs);
  const ordered = run.job.request.download?.files.length ?? 0;
  const share = ordered === 3 ? arrivedShare : 1;
  const downloaded = await downloadFiles(deps, run, {
    signal: AbortSignal.any([signal, timeout]),
    onProgress: (stage, fraction, detail) => progress.progress(stage, share * fraction, detail),
  }).catch((error: unknown) => {
    if (!timeout.aborted || signal.aborted) throw error;
    throw new DownloadRefused('download_failed', tookTooLong(limitMs).message);
  });
  const [first, second, third] = downloaded.files;
  const outcome: RunOutcome =
    first && second && third
      ? await deps.convertInTurn(() =>
          workedOn(deps, {
            ...context,
            work: conversionOf([first, second, third], scratch),
            from: arrivedShare,
          }),
        )
      : nothingToDo;
  const ended = await record(deps, run, outcome, { ...context, downloaded });
  // What failed may be started again, with what is there.
  if (ended === 'done') await downloaded.remove();
  return ended;
}

async function record(deps: RunDeps, run: Run, outcome: RunOutcome, context: RunContext): Promise<Outcome> {
  switch (outcome.kind) {
    case 'result':
      return recordResult(deps, run, outcome.result, context);
    case 'problem':
      if (outcome.fault !== null) deps.logError(new Error(outcome.fault), run.job.id);
      // The store may be back by then, and another machine may have room.
      if (transientProblems.has(outcome.problem.code)) return tryAgain(deps, run, outcome.problem);
      return failed(deps, run, outcome.problem);
    case 'stopped':
      return handBack(deps, run);
    case 'too-long':
      return failed(
        deps,
        run,
        run.job.kind === 'inspect' ? notInspected(outcome.limitMs) : tookTooLong(outcome.limitMs),
      );
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
  result: WorkResults[Work['kind']],
  { scratch, signal, progress, downloaded, copied }: RunContext,
): Promise<Outcome> {
  const unsaid = (notes: readonly string[]) => notes.filter((note) => !progress.hasLogged(note));
  switch (run.job.kind) {
    case 'inspect':
      await withRetries(() => recordReport(deps, run, result as FileReport));
      return 'done';
    case 'build': {
      const built = result as BuildResult;
      await withRetries(() => recordDataset(deps, run, built, unsaid(built.notes)));
      await deps.onBuilt(customDatasetId(run.job.file_ids[0]!));
      return 'done';
    }
    case 'convert': {
      const { notes } = result as ConvertResult;
      return stored(deps, run, () =>
        recordConversion(deps, run, { notes: unsaid(notes), path: outputOf(scratch), signal }),
      );
    }
    case 'combine': {
      const { notes, record } = result as CombineResult;
      return stored(deps, run, () =>
        recordCombination(deps, run, { notes: unsaid(notes), record, path: outputOf(scratch), signal }),
      );
    }
    case 'subset': {
      const { notes, columns } = result as SubsetResult;
      return stored(deps, run, () =>
        recordSubset(deps, run, { notes: unsaid(notes), columns, path: outputOf(scratch), signal }),
      );
    }
    case 'copy':
      return stored(deps, run, () => recordCopy(deps, run, { file: copied!, signal }));
    case 'download': {
      const { notes } = result as ConvertResult;
      const [only, ...others] = downloaded!.files;
      const file = others.length === 0 ? only! : { path: outputOf(scratch), name: `${run.job.name}.h5ad` };
      return stored(deps, run, () => recordDownload(deps, run, { file, notes: unsaid(notes), signal }));
    }
  }
}

/** Ends a run by storing a file, unless the storage refuses it. */
async function stored(deps: RunDeps, run: Run, work: () => Promise<void>): Promise<Outcome> {
  try {
    await work();
    return 'done';
  } catch (error) {
    const problem = problemOfStorage(error);
    if (!problem) throw error;
    return failed(deps, run, problem);
  }
}

/** Retries while the database is unavailable, so that a short outage does not cost an hour of work. */
async function withRetries(work: () => Promise<void>): Promise<void> {
  const begun = performance.now();
  for (let wait = 250; ; wait = Math.min(wait * 2, 5000)) {
    try {
      return await work();
    } catch (error) {
      const lasting = error instanceof LeaseLost || (error as Error).name === 'ZodError';
      if (lasting || performance.now() - begun > recordTimeoutMs) throw error;
      await pause(wait);
    }
  }
}

async function failed(deps: RunDeps, run: Run, problem: JobProblem | DownloadRefused): Promise<Outcome> {
  await withRetries(() => recordFailure(deps, run, problem));
  return 'failed';
}

async function handBack(deps: RunDeps, run: Run): Promise<Outcome> {
  await requeueRun(deps.database, run, {
    counts: false,
    why: 'The server is stopping; the job starts again when it is back.',
  });
  return 'handed back';
}

/**
 * Requeues a job when a service it needs is unavailable: this does not count as an attempt, and other jobs wait too.
 */
async function retryLater(deps: RunDeps, run: Run, signal: AbortSignal): Promise<Outcome> {
  await pause(deps.awayMs, undefined, { signal }).catch(() => undefined);
  const why = 'Files cannot be read or stored at the moment; the job starts again when they can.';
  await withRetries(() => requeueRun(deps.database, run, { counts: false, why }));
  return 'handed back';
}

async function tryAgain(deps: RunDeps, run: Run, problem: JobProblem): Promise<Outcome> {
  if (run.job.attempts >= maxAttempts) return failed(deps, run, problem);
  await withRetries(() =>
    requeueRun(deps.database, run, {
      counts: true,
      why: 'The job ended unexpectedly and is retried once.',
    }),
  );
  return 'tried again';
}
