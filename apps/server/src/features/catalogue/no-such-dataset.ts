import { ApiFailure } from '../../runtime/api-failure.ts';

/** The one refusal for a dataset that is not there and for one that is not the caller's. */
export function noSuchDataset(id: string): ApiFailure {
  return new ApiFailure(404, 'dataset_not_found', `There is no dataset ${JSON.stringify(id)}.`);
}

/** The refusal for a dataset that is there and cannot be read. */
export function damagedDataset(id: string, reason: string): ApiFailure {
  return new ApiFailure(422, 'dataset_damaged', damagedText(id, reason));
}

/** What is wrong, and what to do. */
export function damagedText(id: string, reason: string): string {
  return `The dataset ${JSON.stringify(id)} is damaged and cannot be opened: ${reason}. Operators: run cellfolio dataset verify ${id}, then import the file again.`;
}
