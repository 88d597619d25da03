import type { CatalogueEntry } from '@cellfolio/model';

/** For tests that import files whose catalogue entry says nothing of interest. */
export function fixtureCatalogue(name: string): CatalogueEntry {
  return {
    name,
    disease: 'Healthy',
    subdisease: 'Blood',
    category1: '',
    category2: '',
    description: '',
    simulated: true,
  };
}
