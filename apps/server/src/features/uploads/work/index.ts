export { moreMemoryHint, plainName, plainText, problemOf } from './failures.ts';
export { partMemoryProblem } from './part-memory.ts';
export { runWork } from './run-work.ts';
export type {
  BuildResult,
  BuildWork,
  CombineWork,
  ConvertWork,
  InputFile,
  InspectWork,
  SubsetWork,
  Work,
  WorkContext,
  WorkResults,
} from './work.ts';
