export { cellsOn, comparedOutcome, comparedPlace, testWords } from './compared-outcome.ts';
export { Comparisons } from './comparisons.ts';
export { comparisonInputs } from './figure-inputs.ts';
