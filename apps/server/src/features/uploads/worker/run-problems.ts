import type { JobProblem } from '@cellfolio/contract';
import type { InputMissing } from './job-inputs.ts';

/** What owners are told where the work itself could tell nothing. */
export const lostTwice: JobProblem = {
  code: 'worker_lost',
  message:
    'The server went away twice while it worked on this. Try again; if it happens again, tell whoever runs it.',
};
export const broken: JobProblem = {
  code: 'crashed',
  message:
    'The work ended unexpectedly twice. The file may be damaged: write it again. If it happens again, tell whoever runs the server.',
};

export const noRoom: JobProblem = {
  code: 'no_space',
  message:
    'The server has no room left on its disk. Nothing was changed; try again later, or tell whoever runs it.',
};

export function outOfMemory(memoryBytes: number): JobProblem {
  const limit = `${Math.round(memoryBytes / 1024 ** 2).toLocaleString('en-US')} MB`;
  return {
    code: 'out_of_memory',
    message: `This takes more memory than the ${limit} that a job may have here. Take a part of the cells or genes, or ask whoever runs the server for more.`,
  };
}

export function tookTooLong(limitMs: number): JobProblem {
  const minutes = Math.round(limitMs / 60_000);
  const limit = minutes > 1 ? `${minutes} minutes` : `${Math.round(limitMs / 1000)} seconds`;
  return {
    code: 'took_too_long',
    message: `The work was not done after ${limit} and was stopped. The file may be damaged, or too large for this server.`,
  };
}

export function missing({ fileName }: InputMissing): JobProblem {
  return {
    code: 'file_missing',
    message: `${fileName} is not there any more. Upload it again.`,
  };
}
