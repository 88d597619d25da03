import { buildDataset } from './build-dataset.ts';
import { convertTrio } from './convert-trio.ts';
import { inspectFile } from './inspect-file.ts';
import type { Work, WorkContext, WorkResults } from './work.ts';

/**
 * Does what a job is there for. Nothing is left of work that failed or was cancelled.
 * Throws WorkFailed; the signal's reason when aborted; anything else is a fault of ours (see `problemOf`).
 */
export function runWork<W extends Work>(work: W, context: WorkContext): Promise<WorkResults[W['kind']]>;
export async function runWork(work: Work, context: WorkContext): Promise<WorkResults[Work['kind']]> {
  context.signal.throwIfAborted();
  switch (work.kind) {
    case 'inspect':
      return inspectFile(work, context);
    case 'convert':
      return convertTrio(work, context);
    case 'build':
      return buildDataset(work, context);
  }
}
