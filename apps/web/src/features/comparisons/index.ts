export { comparisonAnalysis } from './comparison-analysis.ts';
export { covariatesOf, pairingOf, sampleNumber, samplesOf } from './comparison-form.ts';
export { degreesWords, LeftOut } from './design-facts.tsx';
export { DesignFields } from './design-fields.tsx';
export { SideCounts } from './side-counts.tsx';
