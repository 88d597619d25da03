export { decileAnalysis } from './decile-analysis.ts';
