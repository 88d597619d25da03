export { enrichmentDefaults, enrichmentProblems, pathwayRequest, readGeneList } from './enrichment-form.ts';
export { geneSetEnrichment } from './gene-set-enrichment.ts';
