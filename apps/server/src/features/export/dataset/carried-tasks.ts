import {
  arrayBytes,
  type ArrayRequest,
  entryBytes,
  type EntryRequest,
} from '@cellfolio/ingest/parts-of-h5ad';
import type { Dataset } from '@cellfolio/store';
import { type DatasetRef, type Task, taskKind } from '../../../runtime/compute/task.ts';

/** Some bytes of an element of the file that is returned, cut to the chosen cells. */
export interface CarriedBytesTask extends Task<Uint8Array> {
  kind: 'h5ad-carried';
  dataset: DatasetRef;
  request: ArrayRequest | EntryRequest;
}

export type ReadCarried = (from: number, to: number) => Promise<Uint8Array>;

export function carriedReader({ carried }: Pick<Dataset, 'carried'>, signal: AbortSignal): ReadCarried {
  if (!carried) throw new TypeError('the dataset carries nothing along');
  return async (from, to) => (from === to ? new Uint8Array(0) : carried.bytes({ from, to }, signal));
}

export const carriedTasks = [
  taskKind<CarriedBytesTask>('h5ad-carried', async ({ request }, { dataset, signal }) => {
    const read = carriedReader(dataset, signal);
    return 'array' in request ? arrayBytes(request, read) : entryBytes(request, read);
  }),
];
