import { ApiFailure } from './api-failure.ts';

/** The one refusal for a dataset that is not there and for one that is not the caller's. */
export function noSuchDataset(id: string): ApiFailure {
  return new ApiFailure(404, 'dataset_not_found', `There is no dataset ${JSON.stringify(id)}.`);
}
