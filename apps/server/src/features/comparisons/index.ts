export { type EndSides, type EndSource, findSides, type SideDeps } from './compared-sides.ts';
export {
  analyseComparison,
  type ComparedAnswer,
  type ComparisonAnalysisDeps,
  comparedPlace,
  comparisonInputs,
  nameOfB,
  pseudobulkInputs,
  testWords,
} from './comparison-analysis.ts';
export { askedSamples } from './comparison-question.ts';
export { Comparisons } from './comparisons.ts';
export { comparisonStream } from './comparison-stream.ts';
export { sideInputs } from './side-inputs.ts';
export { leftOut, sampleValuesOf } from './pseudobulk/answer.ts';
export { designCautions, sumsOnSides } from './pseudobulk/cautions.ts';
export {
  type DesignedPart,
  designOfPart,
  planOf,
  type SampleQuestion,
  type SampleSum,
} from './pseudobulk/designed-part.ts';
export { designColumn, requireSamples } from './pseudobulk/refusals.ts';
