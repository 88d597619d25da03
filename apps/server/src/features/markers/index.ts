export { markerInputs } from './marker-analysis.ts';
export { type GroupStatistics, MarkerTests } from './marker-tests.ts';
