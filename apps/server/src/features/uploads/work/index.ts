export { plainName, problemOf, WorkFailed } from './failures.ts';
export { runWork } from './run-work.ts';
export type {
  BuildResult,
  BuildWork,
  ConvertResult,
  ConvertWork,
  InputFile,
  InspectWork,
  Work,
  WorkContext,
  WorkResults,
} from './work.ts';
