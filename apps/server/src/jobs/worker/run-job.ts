import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FileReport, JobProblem } from '@cellfolio/contract';
import { customDatasetId, type StorePlace } from '@cellfolio/store';
import { customCatalogueEntry } from '../custom-catalogue-entry.ts';
import type { JobKind } from '../job-row.ts';
import { type Claim, heartbeatSeconds } from '../queue/job-queue.ts';
import type { BuildResult, ConvertResult, Work } from '../work/index.ts';
import { InputMissing, type JobFile, openInputs } from './job-inputs.ts';
import {
  problemOfStorage,
  type RecordParts,
  recordConversion,
  recordDataset,
  recordFailure,
  recordReport,
  recordRetry,
  RunLost,
} from './record-result.ts';
import { type Ending, runChild } from './run-child.ts';
import { beginRun, mostAttempts, type Run, RunProgress } from './run-record.ts';

export interface RunParts extends RecordParts {
  /** Where datasets are written. */
  readonly objectRoot: StorePlace;
  /** Folder in which each run has its own. */
  readonly scratchRoot: string;
  readonly workModule: string;
  readonly memoryBytes: number;
  readonly timeLimitsMs: Readonly<Record<JobKind, number>>;
  /** A dataset may have been built though its run does not count: puts the record right. */
  readonly settleDataset: (fileId: string) => Promise<void>;
  /** A dataset was built anew. */
  readonly onBuilt: (datasetId: string) => Promise<void>;
  readonly logError: (error: unknown, jobId: string) => void;
}

export const usualTimeLimitsMs: RunParts['timeLimitsMs'] = {
  inspect: 60_000,
  convert: 3600_000,
  build: 2 * 3600_000,
};

/** Time between two looks at whether the job is still ours, which also write down how far it is. */
const pulseMs = 1000;
const recordPatienceMs = 60_000;

/** Does one job that was taken up, or hands it back when `shutdown` aborts. Never rejects. */
export async function runJob(parts: RunParts, claim: Claim, shutdown: AbortSignal): Promise<void> {
  try {
    const run = await beginRun(parts, claim, randomUUID());
    if (!run) return;
    try {
      if (run.job.attempts > mostAttempts) await failed(parts, run, lostTwice);
      else await perform(parts, run, shutdown);
    } catch (error) {
      if (!(error instanceof RunLost)) throw error;
      await afterLoss(parts, run);
    }
  } catch (error) {
    // The queue gives the job to somebody when this process is not heard of for it any more.
    parts.logError(error, claim.id);
  }
}

async function perform(parts: RunParts, run: Run, shutdown: AbortSignal): Promise<void> {
  const scratch = join(parts.scratchRoot, run.token);
  const lost = new AbortController();
  const progress = new RunProgress(parts.database, run);
  const pulse = keepPulse(parts, run, progress, lost);
  const signal = AbortSignal.any([shutdown, lost.signal]);
  try {
    await mkdir(scratch, { recursive: true, mode: 0o700 });
    const files = await openInputs(parts, run.job.file_ids, scratch, signal);
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
    await pulse.stop();
    if (lost.signal.aborted) throw new RunLost();
    await record(parts, run, ending, { scratch, signal });
  } catch (error) {
    await pulse.stop();
    if (error instanceof RunLost || lost.signal.aborted) throw new RunLost();
    if (shutdown.aborted) await handBack(parts, run);
    else if (error instanceof InputMissing) await failed(parts, run, missing(error));
    else {
      parts.logError(error, run.job.id);
      await tryAgain(parts, run, broken);
    }
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Tells the queue that this process lives and the record how far the work is; aborts `lost` when the job is taken away. */
function keepPulse(
  { queue, logError }: RunParts,
  run: Run,
  progress: RunProgress,
  lost: AbortController,
): { stop(): Promise<void> } {
  let heard = Date.now();
  let touched = heard;
  const beat = async (): Promise<void> => {
    try {
      if (!(await progress.write())) return lost.abort();
      if (Date.now() - touched > (heartbeatSeconds * 1000) / 4) {
        await queue.signOfLife(run.claim);
        touched = Date.now();
      }
      heard = Date.now();
    } catch (error) {
      logError(error, run.job.id);
      // By now somebody else has it.
      if (Date.now() - heard > heartbeatSeconds * 1000) lost.abort();
    }
  };
  const stopped = new AbortController();
  const beating = (async () => {
    while (!stopped.signal.aborted && !lost.signal.aborted) {
      await beat();
      await pause(pulseMs, undefined, { signal: stopped.signal, ref: false }).catch(() => undefined);
    }
  })();
  return {
    stop: async () => {
      if (stopped.signal.aborted) return;
      stopped.abort();
      await beating;
      if (!lost.signal.aborted) await beat();
    },
  };
}

function workOf(parts: RunParts, { job }: Run, files: readonly JobFile[], scratch: string): Work {
  const [first, second, third] = files;
  if (!first) throw new Error(`The job ${job.id} has no file.`);
  switch (job.kind) {
    case 'inspect':
      return { kind: 'inspect', file: first.input };
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
        catalogue: customCatalogueEntry(first),
        columns: job.request.columns ?? {},
        processing: job.request.processing ?? {},
        memoryBytes: parts.memoryBytes,
      };
  }
}

const outputOf = (scratch: string) => join(scratch, 'converted.h5ad');

async function record(
  parts: RunParts,
  run: Run,
  ending: Ending,
  { scratch, signal }: { scratch: string; signal: AbortSignal },
): Promise<void> {
  switch (ending.kind) {
    case 'result':
      return recordResult(parts, run, ending.result, { scratch, signal });
    case 'problem':
      if (ending.fault !== undefined) parts.logError(new Error(ending.fault), run.job.id);
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
  { scratch, signal }: { scratch: string; signal: AbortSignal },
): Promise<void> {
  switch (run.job.kind) {
    case 'inspect':
      return patiently(() => recordReport(parts, run, result as FileReport));
    case 'build':
      await patiently(() => recordDataset(parts, run, result as BuildResult));
      return parts.onBuilt(customDatasetId(run.job.file_ids[0]!));
    case 'convert':
      try {
        const made = { result: result as ConvertResult, path: outputOf(scratch), signal };
        return await recordConversion(parts, run, made);
      } catch (error) {
        const problem = problemOfStorage(error);
        if (!problem) throw error;
        return failed(parts, run, problem);
      }
  }
}

/** A database that is away for a moment must not cost what took an hour. */
async function patiently(work: () => Promise<void>): Promise<void> {
  const begun = Date.now();
  for (let wait = 250; ; wait = Math.min(wait * 2, 5000)) {
    try {
      return await work();
    } catch (error) {
      const lasting = error instanceof RunLost || (error as Error).name === 'ZodError';
      if (lasting || Date.now() - begun > recordPatienceMs) throw error;
      await pause(wait);
    }
  }
}

function failed(parts: RunParts, run: Run, problem: JobProblem): Promise<void> {
  return patiently(() => recordFailure(parts, run, problem));
}

async function handBack(parts: RunParts, run: Run): Promise<void> {
  await recordRetry(parts, run, {
    counts: false,
    why: 'The server stops; the work begins again when it is back.',
  });
}

async function tryAgain(parts: RunParts, run: Run, problem: JobProblem): Promise<void> {
  if (run.job.attempts >= mostAttempts) return failed(parts, run, problem);
  await patiently(() =>
    recordRetry(parts, run, { counts: true, why: 'The work ended unexpectedly and is tried once more.' }),
  );
}

async function afterLoss(parts: RunParts, { job, claim }: Run): Promise<void> {
  await parts.queue.close(claim);
  if (job.kind === 'build') await parts.settleDataset(job.file_ids[0]!);
}

const lostTwice: JobProblem = {
  code: 'worker_lost',
  message:
    'The server went away twice while it worked on this. Try again; if it happens again, tell whoever runs it.',
};
const broken: JobProblem = {
  code: 'crashed',
  message:
    'The work ended unexpectedly twice. The file may be damaged: write it again. If it happens again, tell whoever runs the server.',
};

function outOfMemory(memoryBytes: number): JobProblem {
  const limit = `${Math.round(memoryBytes / 1024 ** 2).toLocaleString('en-US')} MB`;
  return {
    code: 'out_of_memory',
    message: `This takes more memory than the ${limit} that a job may have here. Take a part of the cells or genes, or ask whoever runs the server for more.`,
  };
}

function tookTooLong(limitMs: number): JobProblem {
  const minutes = Math.round(limitMs / 60_000);
  const limit = minutes > 1 ? `${minutes} minutes` : `${Math.round(limitMs / 1000)} seconds`;
  return {
    code: 'took_too_long',
    message: `The work was not done after ${limit} and was stopped. The file may be damaged, or too large for this server.`,
  };
}

function missing({ fileName }: InputMissing): JobProblem {
  return {
    code: 'file_missing',
    message: `${fileName} is not there any more. Upload it again.`,
  };
}
