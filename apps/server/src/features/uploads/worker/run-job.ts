import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { JobProblem } from '@cellfolio/contract';
import { isStoreUnavailable } from '@cellfolio/bytes';
import { isDatabaseUnavailable, isDiskFull } from '@cellfolio/platform';
import type { ObservedRun } from '../../../runtime/observability/observed.ts';
import { holdFiles } from '../file-records.ts';
import {
  endRun,
  type JobKind,
  LeaseLost,
  maxAttempts,
  releaseLostLease,
  requeueRun,
  type Run,
  storableText,
} from '../job-table.ts';
import { DownloadRefused } from '../kinds/download.ts';
import type { JobDeps, OpenJob } from '../kinds/job-kind.ts';
import { jobKinds } from '../kinds/job-kinds.ts';
import { withRetries } from '../kinds/record-file.ts';
import { type Work, WorkFailed, type WorkResults } from '../work/index.ts';
import { InputMissing } from './job-inputs.ts';
import {
  broken,
  lostTwice,
  missing,
  noRoom,
  outOfMemory,
  problemOfStorage,
  tookTooLong,
} from './job-problems.ts';
import { type RunOutcome, runChild } from './run-child.ts';
import { RunProgress, type RunProgressOptions } from './run-progress.ts';

export interface RunDeps extends JobDeps, RunProgressOptions {
  scratchRoot: string;
  workModule: string;
  /** Default: the limit of the kind. */
  timeLimitsMs: Readonly<Partial<Record<JobKind, number>>>;
  awayMs: number;
  onRunEnded: (run: ObservedRun) => void;
}

type Outcome = ObservedRun['outcome'];

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
    await jobKinds[run.job.kind].onLost?.(deps, run);
    await releaseLostLease(deps.database, run);
    return 'taken away';
  }
}

async function perform(deps: RunDeps, run: Run, shutdown: AbortSignal): Promise<Outcome> {
  const { kind } = run.job;
  const scratch = join(deps.scratchRoot, run.token);
  const progress = new RunProgress(deps, run);
  const lost = progress.lost.signal;
  const signal = AbortSignal.any([shutdown, lost]);
  try {
    await mkdir(scratch, { recursive: true, mode: 0o700 });
    const rules = jobKinds[kind];
    const limitMs = deps.timeLimitsMs[kind] ?? rules.limitMs;
    const opened = await rules.open(deps, run, { scratch, signal, progress, limitMs });
    const outcome = await workedOn(deps, { limitMs, ...opened }, { scratch, signal, progress });
    if (outcome.kind !== 'result') return await recordEnd(deps, run, outcome);
    return await recordResult(deps, run, { opened, result: outcome.result, progress });
  } catch (error) {
    if (error instanceof LeaseLost || lost.aborted) throw new LeaseLost();
    if (shutdown.aborted) return await handBack(deps, run);
    if (error instanceof DownloadRefused || error instanceof WorkFailed)
      return await failed(deps, run, error);
    if (error instanceof InputMissing) return await failed(deps, run, missing(error));
    deps.logError(error, run.job.id);
    if (isStoreUnavailable(error) || isDatabaseUnavailable(error)) return await retryLater(deps, run, signal);
    return await tryAgain(deps, run, isDiskFull(error) ? noRoom : broken);
  } finally {
    await progress.stop();
    await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** For a job whose files are stored unchanged. */
const nothingToDo: RunOutcome = { kind: 'result', result: { cells: 0, genes: 0, entries: 0, notes: [] } };

interface WorkSurroundings {
  scratch: string;
  signal: AbortSignal;
  progress: RunProgress;
}

/** Runs the work in its child process. Throws LeaseLost. */
async function workedOn(
  deps: RunDeps,
  {
    work,
    limitMs: timeLimitMs,
    openedShare = 0,
    inTurn = (begin) => begin(),
  }: OpenJob<Work> & { limitMs: number },
  { scratch, signal, progress }: WorkSurroundings,
): Promise<RunOutcome> {
  if (!work) return nothingToDo;
  const outcome = await inTurn(() =>
    runChild({
      workModule: deps.workModule,
      work,
      scratch,
      memoryBytes: deps.memoryBytes,
      timeLimitMs,
      signal,
      onProgress: (stage, fraction) => progress.progress(stage, openedShare + (1 - openedShare) * fraction),
      onLog: (text) => progress.log(text),
    }),
  );
  await progress.look();
  if (progress.lost.signal.aborted) throw new LeaseLost();
  return outcome;
}

/** Ends a run by its result, unless the storage refuses a file. */
async function recordResult(
  deps: RunDeps,
  run: Run,
  {
    opened,
    result,
    progress,
  }: { opened: OpenJob<Work>; result: WorkResults[Work['kind']]; progress: RunProgress },
): Promise<Outcome> {
  const unlogged = (notes: readonly string[]) => notes.filter((note) => !progress.hasLogged(note));
  try {
    await opened.record(result, unlogged);
  } catch (error) {
    const problem = problemOfStorage(error);
    if (!problem) throw error;
    return failed(deps, run, problem);
  }
  await opened.afterwards?.();
  return 'done';
}

async function recordEnd(
  deps: RunDeps,
  run: Run,
  outcome: Exclude<RunOutcome, { kind: 'result' }>,
): Promise<Outcome> {
  switch (outcome.kind) {
    case 'problem':
      if (outcome.fault !== null) deps.logError(new Error(outcome.fault), run.job.id);
      // The store may be back by then, and another machine may have room.
      if (transientProblems.has(outcome.problem.code)) return tryAgain(deps, run, outcome.problem);
      return failed(deps, run, outcome.problem);
    case 'stopped':
      return handBack(deps, run);
    case 'too-long':
      return failed(deps, run, (jobKinds[run.job.kind].tooLong ?? tookTooLong)(outcome.limitMs));
    case 'too-large':
      return tryAgain(deps, run, outOfMemory(deps.memoryBytes));
    case 'died':
      deps.logError(new Error(`The process of a job ended: ${outcome.how}`), run.job.id);
      return tryAgain(deps, run, broken);
  }
}

async function failed(deps: RunDeps, run: Run, { code, message }: JobProblem): Promise<Outcome> {
  const { job } = run;
  const problem = { code, message: storableText(message).slice(0, maxProblemLetters) };
  await withRetries(() =>
    deps.database.transaction(async (client) => {
      await holdFiles(client, job.file_ids);
      await endRun(client, run, { notes: [], problem });
      await jobKinds[job.kind].recordProblem?.(client, job, problem);
    }),
  );
  return 'failed';
}

const maxProblemLetters = 2000;

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
