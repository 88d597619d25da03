export { type EndSides, type EndSource, findSides, type SideDeps } from './compared-sides.ts';
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
export { numericColumns } from './comparison-question.ts';
export { Comparisons } from './comparisons.ts';
export { comparisonStream } from './comparison-stream.ts';
export { sideInputs } from './side-inputs.ts';
export { columnKindsOf, leftOutSums, sampleValuesOf } from './pseudobulk/answer.ts';
export { designCautions } from './pseudobulk/cautions.ts';
export { designOfPart, planOf, type SampleQuestion } from './pseudobulk/designed-part.ts';
export { designColumn, requireSamples } from './pseudobulk/refusals.ts';
