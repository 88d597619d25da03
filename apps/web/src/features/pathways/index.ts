export { geneSetEnrichment } from './gene-set-enrichment.ts';
