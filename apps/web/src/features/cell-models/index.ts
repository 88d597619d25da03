export { cellModelAnalysis } from './model-analysis.ts';
