export { allUserFilesKey, customFilePath, ownFilesKey, useCustomFiles, useUserFiles } from './user-files.ts';
export { FilesFailed } from './files-failed.tsx';
export type { UserFile } from './user-files.ts';
export { JobEntry, RunningJob } from './jobs/job-entry.tsx';
export { JobProgress } from './jobs/job-progress.tsx';
export { jobStage } from './jobs/job-text.ts';
export { NotifyButton, withFinishNotice } from './jobs/notify-finished.tsx';
export { useFinishedJobs } from './jobs/finished-jobs.tsx';
export { isActive, useOwnFiles } from './jobs/own-files.ts';
export { fileStates } from './file-state.ts';
export { SettingFields } from './build/build-fields.tsx';
export { PartSettings } from './build/part-settings.tsx';
export { ProcessAgain, useOwnVersion } from './build/process-again.tsx';
export {
  isSoundTyped,
  settings,
  typedChoice,
  type Setting,
  type TypedSettings,
} from './build/processing-settings.ts';
export { failureWords } from './jobs/job-calls.ts';
export { ProcessingFacts } from './reports/processing-facts.tsx';
