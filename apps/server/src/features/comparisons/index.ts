export { comparedPart, comparisonInputs, nameOfB, testWords } from './comparison-analysis.ts';
export { type Comparison, Comparisons } from './comparisons.ts';
