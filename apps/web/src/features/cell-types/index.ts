export { cellTypeAnalysis, suggestCellTypes } from './cell-type-analysis.ts';
