export { markerInputs } from './dot-plot-input.ts';
export { MarkerAnalysis } from './marker-analysis.ts';
export { MarkerTests } from './marker-tests.ts';
