export { comparisonAnalysis } from './comparison-analysis.ts';
export { covariatesOf, pairingOf, sampleNumber, samplesOf } from './comparison-form.ts';
export { degreesWords, LeftOut } from './design-facts.tsx';
export { DesignFields } from './design-fields.tsx';
export { SidesField } from './sides-field.tsx';
