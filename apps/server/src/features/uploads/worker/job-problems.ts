import type { JobProblem } from '@cellfolio/contract';
import { StorageError } from '@cellfolio/platform';
import { moreMemoryHint } from '../work/index.ts';
import type { InputMissing } from './job-inputs.ts';

/** The problem shown to the owner when the storage refuses a new file; undefined for an internal error. */
export function problemOfStorage(error: unknown): JobProblem | undefined {
  if (error instanceof StorageError) {
    if (error.code === 'QuotaExceeded') return { code: 'quota_exceeded', message: error.message };
    if (error.code === 'EntityTooLarge') {
      return {
        code: 'too_large',
        message: 'The converted file exceeds the size limit for files on this server.',
      };
    }
    return undefined;
  }
  const { code, message } = error as { code?: string; message?: string };
  // The trigger that counts files says what to do.
  if (code === 'PT409') {
    return { code: 'too_many_files', message: `The converted file could not be kept: ${message}` };
  }
  // A policy of the database: the plan ended while the work went on.
  if (code === '42501') {
    return {
      code: 'professional_plan_required',
      message: 'The converted file could not be stored: storing files needs the Professional plan.',
    };
  }
  return undefined;
}

/** Shown to owners when the work itself could not report a problem. */
export const lostTwice: JobProblem = {
  code: 'worker_lost',
  message:
    'The server stopped twice during this job. Try again; if it happens again, contact the operator of the server.',
};
export const broken: JobProblem = {
  code: 'crashed',
  message:
    'The job ended unexpectedly twice. The file may be damaged: write it again. If it happens again, contact the operator of the server.',
};

export const noRoom: JobProblem = {
  code: 'no_space',
  message:
    'The disk of the server is full. Nothing was changed; try again later, or contact the operator of the server.',
};

export function outOfMemory(memoryBytes: number): JobProblem {
  const limit = `${Math.round(memoryBytes / 1024 ** 2).toLocaleString('en-US')} MB`;
  return {
    code: 'out_of_memory',
    message: `This takes more memory than the ${limit} that a job may have here. Use fewer cells or genes. ${moreMemoryHint}`,
  };
}

export function tookTooLong(limitMs: number): JobProblem {
  return {
    code: 'took_too_long',
    message: `The job did not finish within ${durationText(limitMs)} and was stopped. The file may be damaged, or too large for this server.`,
  };
}

export function notInspected(limitMs: number): JobProblem {
  return {
    code: 'took_too_long',
    message: `The file could not be inspected within ${durationText(limitMs)}, the limit for a file of its size, so the inspection was stopped. The file is kept as it is. It may be damaged, or stored in far smaller pieces than usual: write it again with the program that made it, and upload that.`,
  };
}

function durationText(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  return minutes > 1 ? `${minutes} minutes` : `${Math.round(ms / 1000)} seconds`;
}

export function missing({ fileName }: InputMissing): JobProblem {
  return {
    code: 'file_missing',
    message: `${fileName} no longer exists. Upload it again.`,
  };
}
