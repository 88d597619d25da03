import type { CatalogueDataset, DatasetMetadata } from '@cellfolio/contract';

/** A dataset and where in the catalogue it stands. */
export interface CatalogueEntry {
  disease: string;
  subDisease: string;
  dataset: CatalogueDataset;
}

/** Every dataset of a catalogue, in its order. */
export function entriesOf(catalogue: DatasetMetadata): CatalogueEntry[] {
  return Object.entries(catalogue).flatMap(([disease, subDiseases]) =>
    Object.entries(subDiseases).flatMap(([subDisease, datasets]) =>
      datasets.map((dataset) => ({ disease, subDisease, dataset })),
    ),
  );
}

/** The part of a catalogue that is to be kept; branches that are empty then are left out. */
export function partOf(
  catalogue: DatasetMetadata,
  keep: (entry: CatalogueEntry) => boolean,
): DatasetMetadata {
  // Names come from strangers: an object with a prototype would take some of them for its own.
  const part = Object.create(null) as DatasetMetadata;
  for (const [disease, subDiseases] of Object.entries(catalogue)) {
    const branch = Object.create(null) as DatasetMetadata[string];
    for (const [subDisease, datasets] of Object.entries(subDiseases)) {
      const kept = datasets.filter((dataset) => keep({ disease, subDisease, dataset }));
      if (kept.length > 0) branch[subDisease] = kept;
    }
    if (Object.keys(branch).length > 0) part[disease] = branch;
  }
  return part;
}

/** How many datasets a catalogue holds. */
export function countDatasets(catalogue: DatasetMetadata): number {
  return entriesOf(catalogue).length;
}
