export {
  analyseComparison,
  cellsOn,
  type ComparedAnswer,
  type ComparisonAnalysisDeps,
  comparedPlace,
  comparisonInputs,
  pseudobulkInputs,
  testWords,
} from './comparison-analysis.ts';
export { Comparisons } from './comparisons.ts';
export { comparisonStream } from './comparison-stream.ts';
export type { EndSides, EndSource } from './end-source.ts';
export { sideInputs } from './side-inputs.ts';
