import { datasetId } from '@cellfolio/contract';
import type { Dataset } from '@cellfolio/store';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { callerOf } from '../../runtime/http/access.ts';
import type { ReadableDatasets } from './catalogue.ts';

/** Names the dataset in which the genes of lists are counted, so that a form can say before the run what it lacks. */
export const datasetQuery = z.object({ dataset: datasetId.optional() });

/** Throws ApiFailure when the dataset does not exist or is not the caller's. */
export async function queriedDataset(
  { readable, datasets }: { readable: ReadableDatasets; datasets: OpenDatasets },
  request: FastifyRequest,
  { dataset }: z.output<typeof datasetQuery>,
): Promise<Dataset | undefined> {
  return dataset === undefined
    ? undefined
    : datasets.get(await readable.manifest(callerOf(request), dataset));
}
