export { Jobs, type JobsOptions } from './jobs.ts';
export { userFileBuckets, type UserFileLimits, userFileLimits } from './store-own-file.ts';
export { DatasetBuilds, keepSweeping, OwnDatasets, OwnFiles } from './own-datasets.ts';
export { computeMissing } from './work/compute-missing.ts';
export type { CombinedSamples } from './work/combined-samples.ts';
export { missingParts, type MissingParts } from './work/inspect-file.ts';
export { planFileQuality, qualityLines } from './work/file-quality.ts';
export { samplesOf } from './work/processing-input.ts';
export type { WorkContext } from './work/work.ts';
