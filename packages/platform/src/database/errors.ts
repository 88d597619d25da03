import { connectionCodes } from '@cellfolio/bytes';
import { DatabaseError } from 'pg';

/** A failure of the database layer itself; failures of a statement are `pg.DatabaseError`. */
class DatabaseLayerError extends Error {
  override readonly name: string = 'DatabaseLayerError';
}

/** A second connection was requested inside a transaction, which waits forever if there is only one. */
export class NestedTransactionError extends DatabaseLayerError {
  override readonly name = 'NestedTransactionError';

  constructor() {
    super(
      'The database was asked for another connection from inside a transaction. ' +
        'Use the client that the transaction was given.',
    );
  }
}

/** The work swallowed a statement's error, so that PostgreSQL answered COMMIT by rolling back. */
export class TransactionAbortedError extends DatabaseLayerError {
  override readonly name = 'TransactionAbortedError';

  constructor() {
    super('A statement of the transaction had failed, so it was rolled back instead of committed.');
  }
}

/** The work ended its transaction, and with it the role it ran under. */
export class TransactionEndedError extends DatabaseLayerError {
  override readonly name = 'TransactionEndedError';

  constructor() {
    super('The work ended the transaction it was given; it must leave COMMIT and ROLLBACK to the database.');
  }
}

export const secondStepMessage = 'Complete the second sign-in step first: this account requires one.';

export class SecondStepPending extends DatabaseLayerError {
  override readonly name = 'SecondStepPending';

  constructor() {
    super(secondStepMessage);
  }
}

/** Another process, or this one, has the embedded database of that folder open. */
export class DatabaseLockedError extends DatabaseLayerError {
  override readonly name = 'DatabaseLockedError';
  readonly folder: string;
  readonly holder: { readonly pid: number; readonly host: string };

  constructor(folder: string, holder: { pid: number; host: string }, where: string) {
    super(
      `The embedded database in ${folder} is open in process ${holder.pid}${where}. ` +
        'Stop that process first, or give this one another data folder or a DATABASE_URL.',
    );
    this.folder = folder;
    this.holder = holder;
  }
}

export class DatabaseVersionError extends DatabaseLayerError {
  override readonly name = 'DatabaseVersionError';
  readonly folder: string;
  readonly foundVersion: string;
  readonly needed: string;

  constructor(folder: string, actual: string, needed: string) {
    super(
      `The embedded database in ${folder} was written by ${actual}; this program reads ${needed}. ` +
        'Write a dump with the version of the program that wrote it, and restore that into a new folder.',
    );
    this.folder = folder;
    this.foundVersion = actual;
    this.needed = needed;
  }
}

export class EngineError extends DatabaseLayerError {
  override readonly name = 'EngineError';
  readonly isFull: boolean;

  constructor(message: string, { isFull = false }: { isFull?: boolean } = {}) {
    super(message);
    this.isFull = isFull;
  }
}

/** The migration files and the database's record of them disagree. `file` is the one at fault. */
export class MigrationError extends DatabaseLayerError {
  override readonly name = 'MigrationError';
  readonly file: string;
  readonly reason: 'changed' | 'missing' | 'out-of-order' | 'failed' | 'unusable';

  constructor(file: string, reason: MigrationError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.file = file;
    this.reason = reason;
  }
}

/** A dump that cannot be restored; `line` counts from 1, and is 0 if no line is at fault. */
export class RestoreError extends DatabaseLayerError {
  override readonly name = 'RestoreError';
  readonly line: number;

  constructor(line: number, message: string, options?: ErrorOptions) {
    super(line > 0 ? `Line ${line} of the dump: ${message}` : message, options);
    this.line = line;
  }
}

/** The driver's messages for a lost connection; it has no codes for it. */
const words =
  /^(?:timeout exceeded when trying to connect|timeout expired|Connection terminated|Client has encountered a connection error|Client was closed and is not queryable|Cannot use a pool after calling end)/;

/**
 * Connection trouble, shortage of resources, a server that starts or stops, and conflicting transactions: the classes
 * of PostgreSQL's appendix A. Excludes a statement that took too long (57014): it would again.
 */
const states = /^(?:08|53|40001|40P01|55P03|25P03|57P0)/;

/** Whether the failure is temporary: the same request may succeed in a moment. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof EngineError) return true;
  if (error instanceof DatabaseError) return error.severity === 'FATAL' || states.test(error.code ?? '');
  const { code, syscall } = error as NodeJS.ErrnoException;
  // A stopped server has no socket file.
  if (code !== undefined && (connectionCodes.has(code) || (code === 'ENOENT' && syscall === 'connect')))
    return true;
  return words.test(error.message);
}

/** Messages that concern only one client's connection, or a pool that is short of them. */
const wordsOfPool = /^(?:timeout exceeded when trying to connect|Client was closed|Cannot use a pool)/;

/** Whether the database is unreachable, so that any further request would fail as well. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error) || !isDatabaseUnavailable(error) || isDiskFull(error)) return false;
  if (error instanceof DatabaseError) return !/^(?:53|40|55|25)/.test(error.code ?? '');
  return !wordsOfPool.test(error.message);
}

const diskFull = '53100';
const codes: ReadonlySet<unknown> = new Set([diskFull, 'ENOSPC', 'EDQUOT']);

/** Message for callers; the disk and file are for the log. */
export const diskFullMessage = 'The disk of the server is full. Saved data is kept; try again later.';

/** Retry delay in seconds: an operator must free space first. */
export const diskFullRetrySeconds = 30;

/** Whether a disk was full: that of the database, embedded or a server, or that of files. */
export function isDiskFull(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof EngineError ? at.isFull : codes.has((at as NodeJS.ErrnoException).code)) {
      return true;
    }
  }
  return false;
}
