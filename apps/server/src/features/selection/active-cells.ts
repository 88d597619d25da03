import type { ChosenCells } from '@cellfolio/contract';
import { network } from '@cellfolio/platform';
import type { FastifyRequest } from 'fastify';
import type { Selection, Waiting } from './selection.ts';
import { subsetFilter } from './subset-filter.ts';
import { screenOf } from '../../runtime/http/access.ts';
import type { Services } from '../../boot/services.ts';

/**
 * Runs the work of a call when it is its turn; it can be watched under the id of its request, and is cancelled when its
 * caller goes away. Throws NotAdmitted where too many calls are under way.
 */
export async function watched<T>(
  { progress, admission }: Pick<Services, 'progress' | 'admission'>,
  request: FastifyRequest,
  work: (waiting: Waiting) => Promise<T>,
): Promise<T> {
  const { userId } = screenOf(request);
  const { report, finish } = progress.start({ userId, requestId: request.id });
  try {
    const leave = await admission.enter(userId, request.clientGone, network(request.ip));
    try {
      return await work({ signal: request.clientGone, users: () => [userId], onProgress: report });
    } finally {
      leave();
    }
  } finally {
    finish();
  }
}

/** Runs the work of a call on the cells that the caller's tab has active, or on those of its dataset that the call names. */
export async function onActiveCells<T>(
  services: Pick<Services, 'active' | 'progress' | 'admission'>,
  request: FastifyRequest,
  work: (selection: Selection, waiting: Waiting) => Promise<T>,
  named?: ChosenCells,
): Promise<T> {
  const subset = named?.subset && subsetFilter(named.subset);
  return watched(services, request, async (waiting) => {
    const active = await services.active.current(screenOf(request));
    return work(named ? { manifest: active.manifest, subset } : active, waiting);
  });
}
