export { EnrichmentBackgrounds } from './enrichment-background.ts';
export { EnrichmentTests } from './enrichment-tests.ts';
export type { LibraryOfDataset, PackedBackground } from './background-genes.ts';
export { libraryCautions } from './describe-result.ts';
export { enrichmentInputs } from './pathway-analysis.ts';
