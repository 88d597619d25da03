export { compareWithRest, markerAnalysis } from './marker-analysis.ts';
