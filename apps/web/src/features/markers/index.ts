export { markerAnalysis } from './marker-analysis.ts';
