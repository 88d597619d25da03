export { plainName } from './plain-text.ts';
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
export { problemOf, WorkFailed } from './work-failed.ts';
