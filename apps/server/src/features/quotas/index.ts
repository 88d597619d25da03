export { listUsage, type TableUse, type Usage, type UserFileLimits } from './usage.ts';
export { pruneRows } from './retention.ts';
