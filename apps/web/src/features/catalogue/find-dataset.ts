import type { CatalogueDataset, DatasetMetadata } from '@cellfolio/contract';

export interface CatalogueEntry {
  disease: string;
  subDisease: string;
  dataset: CatalogueDataset;
}

/** The catalogue entry of a dataset; under the named disease if it is there, else under any. */
export function findDataset(
  catalogue: DatasetMetadata | undefined,
  filename: string | null,
  disease?: string | null,
): CatalogueEntry | undefined {
  if (catalogue === undefined || filename === null) return undefined;
  let elsewhere: CatalogueEntry | undefined;
  for (const [name, subDiseases] of Object.entries(catalogue)) {
    for (const [subDisease, datasets] of Object.entries(subDiseases)) {
      const dataset = datasets.find((candidate) => candidate.dataset_filename === filename);
      if (dataset === undefined) continue;
      const entry = { disease: name, subDisease, dataset };
      if (disease === undefined || disease === null || disease === name) return entry;
      elsewhere ??= entry;
    }
  }
  return elsewhere;
}
