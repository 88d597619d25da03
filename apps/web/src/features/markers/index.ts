export { markerAnalysis } from './marker-analysis.ts';
export { groupChoices, markerDefaults, markerProblems, markerRequest, numberOrZero } from './marker-form.ts';
