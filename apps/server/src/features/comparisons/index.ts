export { comparisonInputs } from './comparison-analysis.ts';
export { Comparisons } from './comparisons.ts';
