export type { CountBlock, CountMatrix } from './count-matrix.ts';
export { ProcessError, type ProcessErrorCode } from './errors.ts';
export { memoryNeeded } from './memory-needed.ts';
export { processCounts, type ProcessOptions } from './process-counts.ts';
export type { ProcessPart, ProcessProgress, ProcessResult, QualityReport } from './process-result.ts';
export type { ProcessSettings, QualitySettings } from './settings.ts';
