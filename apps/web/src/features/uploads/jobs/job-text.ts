import type { Job } from '@cellfolio/contract';

/** Such as 'Conversion to mouse.h5ad'. */
export function jobTitle({ kind, name }: Pick<Job, 'kind' | 'name'>): string {
  switch (kind) {
    case 'inspect':
      return `Inspection of ${name}`;
    case 'convert':
      return `Conversion to ${name}`;
    case 'build':
      return `Dataset of ${name}`;
    case 'download':
      return `Download of ${name}`;
    case 'combine':
      return `Samples combined to ${name}`;
    case 'subset':
      return `Cells of ${name}`;
    case 'copy':
      return `Copy of the file for ${name}`;
    case 'cellxgene':
      return `File for CELLxGENE: ${name}`;
  }
}

export function jobStage({ state, stage, attempts }: Pick<Job, 'state' | 'stage' | 'attempts'>): string {
  switch (state) {
    case 'queued':
      return 'Queued';
    case 'running': {
      const text = stage ?? 'Starting';
      return attempts > 1 ? `${text} (restarted after an interruption)` : text;
    }
    case 'done':
      return 'Done';
    case 'failed':
      return 'Failed';
    case 'cancelled':
      return 'Canceled';
  }
}

/** Whole percent; below 100 until the job is done. */
export function jobPercent({ state, progress }: Pick<Job, 'state' | 'progress'>): number {
  return state === 'done' ? 100 : Math.min(99, Math.floor(progress * 100));
}

/** Run time: '8 s', '2 min 5 s', '1 h 3 min'; `null` if the job never started or has not ended. */
export function jobDuration({ started_at, finished_at }: Pick<Job, 'started_at' | 'finished_at'>) {
  if (started_at === null || finished_at === null) return null;
  const seconds = Math.max(0, Math.round((Date.parse(finished_at) - Date.parse(started_at)) / 1000));
  if (seconds < 60) return `${Math.max(1, seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
