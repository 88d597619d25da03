export { rankedEnrichmentAnalysis } from './ranked-enrichment-analysis.ts';
export type { RankedEnrichmentForm } from './ranked-enrichment-form.ts';
