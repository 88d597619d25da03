export { EnrichmentBackgrounds } from './enrichment-background.ts';
export { EnrichmentTests } from './enrichment-tests.ts';
export { enrichmentInputs } from './pathway-analysis.ts';
