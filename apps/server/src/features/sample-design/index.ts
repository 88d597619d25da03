export { codesTaken, designNotes, headOf, sampleLimits } from './cautions.ts';
export { comparedSamples } from './compared-samples.ts';
export { columnsOf, columnsOfSets, findSides, type SideDeps } from './compared-sides.ts';
export {
  columnKindsOf,
  type DesignedPart,
  designOfPart,
  labelsOf,
  leftOutSums,
  numbersOf,
  planOf,
  refusedPart,
  type SampleQuestion,
  sampleValuesOf,
} from './designed-part.ts';
export { type SampleSum, sumsOnSides } from './part-sums.ts';
export { designColumn, numericColumns, type RefusedPart, requireSamples } from './refusals.ts';
export type { FoundSides, PartComposition, SumPlan } from './tasks.ts';
