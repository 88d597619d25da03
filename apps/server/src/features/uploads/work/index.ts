export { moreMemoryHint, plainName, plainText, problemOf } from './failures.ts';
export { partMemoryProblem } from './part-memory.ts';
export { runWork } from './run-work.ts';
export type {
  BuildResult,
  CombineResult,
  ConvertResult,
  InputFile,
  SubsetResult,
  Work,
  WorkContext,
  WorkResults,
} from './work.ts';
