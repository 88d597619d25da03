export type { Caller, Database } from './database.ts';
export {
  DatabaseLayerError,
  DatabaseLockedError,
  DatabaseVersionError,
  EngineError,
  MigrationError,
  NestedTransactionError,
  TransactionAbortedError,
  TransactionEndedError,
} from './errors.ts';
export { migrate } from './migrate.ts';
export { openDatabase, type OpenDatabaseOptions } from './open-database.ts';
