export { plainName, problemOf } from './failures.ts';
export { runWork } from './run-work.ts';
export type { BuildResult, ConvertResult, InputFile, Work, WorkContext, WorkResults } from './work.ts';
