export { rankedEnrichmentInputs } from './ranked-enrichment-analysis.ts';
export { RankedEnrichments } from './ranked-enrichments.ts';
