import type { FastifyRequest } from 'fastify';
import type { Selection, Waiting } from '../services/selection.ts';
import { screenOf } from './plugins/access.ts';
import type { Services } from './services.ts';

/** Runs the work of a call that can be watched under the id of its request, and is cancelled when its caller goes away. */
export async function watched<T>(
  { progress }: Pick<Services, 'progress'>,
  request: FastifyRequest,
  work: (waiting: Waiting) => Promise<T>,
): Promise<T> {
  const { report, finish } = progress.start({ userId: screenOf(request).userId, requestId: request.id });
  try {
    return await work({ signal: request.clientGone, onProgress: report });
  } finally {
    finish();
  }
}

/** Runs the work of a call on the cells that the caller's tab has active. */
export async function onActiveCells<T>(
  services: Pick<Services, 'active' | 'progress'>,
  request: FastifyRequest,
  work: (selection: Selection, waiting: Waiting) => Promise<T>,
): Promise<T> {
  return watched(services, request, async (waiting) =>
    work(await services.active.current(screenOf(request)), waiting),
  );
}
