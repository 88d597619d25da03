export { listUsage, type TableUse, type Usage, type UserFileLimits, userFileLimits } from './usage.ts';
export { pruneRows } from './retention.ts';
