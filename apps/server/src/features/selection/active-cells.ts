import type { ChosenCells } from '@cellfolio/contract';
import { type Admission, network } from '@cellfolio/platform';
import type { FastifyRequest } from 'fastify';
import type { ActiveDatasets } from './active-datasets.ts';
import type { ProgressHub } from '../../runtime/progress/progress-hub.ts';
import type { Selection } from './selection.ts';
import type { Waiting } from '../../runtime/compute/analysis-work.ts';
import { subsetFilter } from './subset-filter.ts';
import { tabSessionOf } from '../../runtime/http/access.ts';

/** What calls on chosen cells need. */
export interface SelectionServices {
  readonly active: ActiveDatasets;
  readonly progress: ProgressHub;
  /** Lets calls that compute begin, a few at a time. */
  readonly admission: Admission;
}

/**
 * Runs the work of a call when it is its turn; it can be watched under the id of its request, and is cancelled when its
 * caller goes away. Throws NotAdmitted where too many calls are under way.
 */
export async function watched<T>(
  { progress, admission }: Pick<SelectionServices, 'progress' | 'admission'>,
  request: FastifyRequest,
  work: (waiting: Waiting) => Promise<T>,
): Promise<T> {
  const { userId } = tabSessionOf(request);
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
  services: SelectionServices,
  request: FastifyRequest,
  work: (selection: Selection, waiting: Waiting) => Promise<T>,
  named?: ChosenCells,
): Promise<T> {
  const subset = named?.subset && subsetFilter(named.subset);
  return watched(services, request, async (waiting) => {
    const active = await services.active.current(tabSessionOf(request));
    return work(named ? { manifest: active.manifest, subset } : active, waiting);
  });
}
