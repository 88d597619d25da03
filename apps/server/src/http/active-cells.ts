import type { FastifyRequest } from 'fastify';
import type { Selection, Waiting } from '../services/selection.ts';
import { screenOf } from './plugins/access.ts';
import type { Services } from './services.ts';

/**
 * Runs the work of a call on the cells that the caller's tab has active. Its progress can be watched under the
 * id of the request, and it is cancelled when the caller goes away.
 */
export async function onActiveCells<T>(
  services: Pick<Services, 'active' | 'progress'>,
  request: FastifyRequest,
  work: (selection: Selection, waiting: Waiting) => Promise<T>,
): Promise<T> {
  const screen = screenOf(request);
  const progress = services.progress.start({ userId: screen.userId, requestId: request.id });
  try {
    const selection = await services.active.current(screen);
    return await work(selection, { signal: request.clientGone, onProgress: progress.report });
  } finally {
    progress.finish();
  }
}
