export { markerInputs, MarkerAnalysis } from './marker-analysis.ts';
export { MarkerTests } from './marker-tests.ts';
