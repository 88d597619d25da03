import type { CatalogueDataset, DatasetMetadata } from '@cellfolio/contract';
import { formatMetadataValue, titleOfKey } from '@/features/datasets/format-metadata.ts';

/** How many datasets a catalogue holds. */
export function countDatasets(catalogue: DatasetMetadata): number {
  return Object.values(catalogue)
    .flatMap((subDiseases) => Object.values(subDiseases))
    .reduce((sum, datasets) => sum + datasets.length, 0);
}

/**
 * The part of the catalogue in which every word is found: in the name of the disease, of the sub-disease, or in what
 * is said of the dataset. Case does not matter; no words find everything. Empty branches are left out.
 */
export function searchCatalogue(catalogue: DatasetMetadata, text: string): DatasetMetadata {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return catalogue;
  // Names come from strangers: an object with a prototype would take some of them for its own.
  const found = Object.create(null) as DatasetMetadata;
  for (const [disease, subDiseases] of Object.entries(catalogue)) {
    const branch = Object.create(null) as DatasetMetadata[string];
    for (const [subDisease, datasets] of Object.entries(subDiseases)) {
      const fitting = datasets.filter((dataset) => {
        const said = `${disease}\n${subDisease}\n${textOf(dataset)}`.toLowerCase();
        return words.every((word) => said.includes(word));
      });
      if (fitting.length > 0) branch[subDisease] = fitting;
    }
    if (Object.keys(branch).length > 0) found[disease] = branch;
  }
  return found;
}

/** All that the preview shows of a dataset. */
function textOf(dataset: CatalogueDataset): string {
  const { dataset_filename, name, description, category1, category2, gse_accession_number } = dataset;
  const { disease_type, stage, treatment, lymph_node_status, patient_metadata = {} } = dataset;
  const said = [dataset_filename, name, description, category1, category2, gse_accession_number];
  said.push(disease_type, stage, treatment, lymph_node_status, dataset.simulated ? 'simulated' : '');
  for (const [key, value] of Object.entries(patient_metadata)) {
    said.push(`${titleOfKey(key)}: ${formatMetadataValue(value)}`);
  }
  return said.join('\n');
}
