export { surestFirst } from './compared-table.ts';
export {
  analyseComparison,
  cellsOn,
  type ComparedAnswer,
  comparedGenes,
  comparedPlace,
  type ComparisonAnalysisDeps,
  groupNotCompared,
  testWords,
} from './comparison-analysis.ts';
export { comparisonStream } from './comparison-stream.ts';
export { type Comparison, Comparisons } from './comparisons.ts';
export { refusedAnswer } from './pseudobulk/answer.ts';
export type { TestedPart } from './pseudobulk/pseudobulk-comparisons.ts';
export { sumTestWords } from './pseudobulk/words.ts';
