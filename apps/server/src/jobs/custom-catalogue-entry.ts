import type { CatalogueEntry } from '@cellfolio/model';

/** How a user's own dataset is described where the public ones have their entry of the catalogue. */
export function customCatalogueEntry(file: {
  readonly file_name: string;
  readonly description: string | null;
}): CatalogueEntry {
  return {
    name: file.file_name,
    disease: 'Custom Data',
    subdisease: 'Not Available',
    category1: '',
    category2: '',
    description: file.description ?? '',
    simulated: false,
  };
}
