export { comparisonInputs, pseudobulkInputs } from './comparison-analysis.ts';
export { Comparisons } from './comparisons.ts';
