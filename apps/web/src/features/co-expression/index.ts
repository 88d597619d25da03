export { coExpressionAnalysis } from './co-expression-analysis.ts';
