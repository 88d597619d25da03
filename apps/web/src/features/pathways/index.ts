export { againstGenes, libraryNote } from './enrichment-form.ts';
export { LibraryField, SpeciesField } from './library-field.tsx';
export { geneSetEnrichment } from './gene-set-enrichment.tsx';
