export { listUsage, type TableUse, type Usage } from './usage.ts';
export { pruneRows } from './prune-rows.ts';
