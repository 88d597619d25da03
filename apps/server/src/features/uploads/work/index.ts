export { goneDataset, moreMemoryHint, plainName, plainText, problemOf, WorkFailed } from './failures.ts';
export { partMemoryProblem } from './part-memory.ts';
export { runWork } from './run-work.ts';
export type {
  BuildResult,
  BuildWork,
  CellxgeneWork,
  CombineWork,
  ConvertWork,
  InputFile,
  InspectWork,
  SubsetWork,
  Work,
  WorkContext,
  WorkResults,
} from './work.ts';
