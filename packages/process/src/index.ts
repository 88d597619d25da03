export type { CountBlock, CountMatrix } from './count-matrix.ts';
export { ProcessError, type ProcessErrorCode } from './errors.ts';
export { memoryNeeded } from './memory-needed.ts';
export { processCounts, type ProcessOptions } from './process-counts.ts';
export type { ProcessPart, ProcessProgress, ProcessResult, QualityReport } from './process-result.ts';
export { defaultSettings, type ProcessSettings, type QualitySettings } from './settings.ts';
