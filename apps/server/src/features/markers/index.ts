export { markerInputs } from './marker-analysis.ts';
export { MarkerTests } from './marker-tests.ts';
