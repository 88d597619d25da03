export { allUserFilesKey, customFilePath, useCustomFiles, useUserFiles } from './user-files.ts';
export type { UserFile } from './user-files.ts';
export { JobProgress } from './jobs/job-progress.tsx';
export { jobStage } from './jobs/job-text.ts';
export { NotifyButton, withFinishNotice } from './jobs/notify-finished.tsx';
export { useFinishedJobs } from './jobs/finished-jobs.tsx';
export { isActive } from './jobs/own-files.ts';
export { ProcessingFacts } from './reports/processing-facts.tsx';
