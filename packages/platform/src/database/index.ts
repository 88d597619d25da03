export type { Caller, Database } from './database.ts';
export { isDatabaseAway } from './database-away.ts';
export { diskFullRetrySeconds, diskFullWords, isDiskFull } from './disk-full.ts';
export { dumpDatabase, type DumpHeader } from './dump/dump-database.ts';
export { requireEmptyDatabase, restoreDatabase } from './dump/restore-database.ts';
export {
  DatabaseLayerError,
  DatabaseLockedError,
  DatabaseVersionError,
  EngineError,
  MigrationError,
  NestedTransactionError,
  RestoreError,
  TransactionAbortedError,
  TransactionEndedError,
} from './errors.ts';
export { migrate } from './migrate.ts';
export { openDatabase, type OpenDatabaseOptions } from './open-database.ts';
