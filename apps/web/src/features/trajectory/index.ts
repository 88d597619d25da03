export { trajectoryAnalysis } from './trajectory-analysis.ts';
