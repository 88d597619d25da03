export { CoExpressions } from './co-expressions.ts';
export { coExpressionInputs } from './co-expression-analysis.ts';
