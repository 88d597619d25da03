export { gradientAnalysis } from './gradient-analysis.ts';
