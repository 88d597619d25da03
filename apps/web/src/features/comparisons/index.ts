export { comparedGenes, comparisonAnalysis, prepareComparison } from './comparison-analysis.ts';
export { ComparisonFacts } from './comparison-facts.tsx';
export { comparisonMethods } from './comparison-form.ts';
export { MethodField, SamplesField } from './method-fields.tsx';
