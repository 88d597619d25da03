export { rankedEnrichmentAnalysis } from './ranked-enrichment-analysis.tsx';
export type { RankedEnrichmentForm } from './ranked-enrichment-form.ts';
