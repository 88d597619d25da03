import type { CatalogueDataset } from '@cellfolio/contract';

/** What a list says of a dataset: its description, or its name where there is none. */
export function datasetText({ description, name }: CatalogueDataset): string {
  return description.trim() === '' ? name : description;
}
