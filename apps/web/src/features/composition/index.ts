export { compositionAnalysis } from './composition-analysis.ts';
