import type { CatalogueDataset, DatasetMetadata } from '@cellfolio/contract';
import { columnTitle } from '@cellfolio/contract';
import { formatMetadataValue } from './format-metadata.ts';
import { partOf } from './catalogue-entries.ts';
import type { GenesFound } from './use-gene-datasets.ts';

/**
 * The part of the catalogue in which every word is found: in the name of the disease, of the sub-disease, in what is
 * said of the dataset, or as a gene that it has. Case does not matter; no words find everything. Empty branches are
 * left out.
 */
export function searchCatalogue(
  catalogue: DatasetMetadata,
  text: string,
  genes: GenesFound = new Map(),
): DatasetMetadata {
  const words = text
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter(Boolean);
  if (words.length === 0) return catalogue;
  return partOf(catalogue, ({ disease, subDisease, dataset }) => {
    const said = `${disease}\n${subDisease}\n${textOf(dataset)}`.toLowerCase();
    return words.every(
      (word) => said.includes(word) || genes.get(word)?.has(dataset.dataset_filename) === true,
    );
  });
}

/** All that the preview shows of a dataset. */
function textOf(dataset: CatalogueDataset): string {
  const { dataset_filename, name, description, category1, category2, gse_accession_number } = dataset;
  const {
    disease_type,
    stage,
    treatment,
    lymph_node_status,
    cell_types = [],
    patient_metadata = {},
  } = dataset;
  const said = [dataset_filename, name, description, category1, category2, gse_accession_number];
  said.push(disease_type, stage, treatment, lymph_node_status, dataset.simulated ? 'simulated' : '');
  said.push(...cell_types);
  for (const [key, value] of Object.entries(patient_metadata)) {
    said.push(`${columnTitle(key)}: ${formatMetadataValue(value)}`);
  }
  return said.join('\n');
}
