export { comparisonAnalysis } from './comparison-analysis.ts';
