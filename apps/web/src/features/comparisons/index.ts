export { comparedGenes, comparisonAnalysis, prepareComparison } from './comparison-analysis.ts';
export { ComparisonFacts } from './comparison-facts.tsx';
export {
  comparisonMethods,
  covariatesOf,
  numericCovariatesOf,
  methodOf,
  nestedSamplesText,
  pairingOf,
  sumsProblem,
  sampleNumber,
  samplesOf,
} from './comparison-form.ts';
export { degreesWords, kindWords, LeftOut } from './design-facts.tsx';
export { DesignFields } from './design-fields.tsx';
export { MethodField, SamplesField } from './method-fields.tsx';
export { SidesField } from './sides-field.tsx';
