import { connectionCodes } from '@cellfolio/bytes';
import { DatabaseError } from 'pg';

/** A failure of the database layer itself; failures of a statement are `pg.DatabaseError`. */
class DatabaseLayerError extends Error {
  override readonly name: string = 'DatabaseLayerError';
}

/** Inside a transaction something asked for a second connection, which on one connection waits for ever. */
export class NestedTransactionError extends DatabaseLayerError {
  override readonly name = 'NestedTransactionError';

  constructor() {
    super(
      'The database was asked for another connection from inside a transaction. ' +
        'Use the client that the transaction was given.',
    );
  }
}

/** The work swallowed the error of a statement, so that PostgreSQL answered COMMIT by rolling back. */
export class TransactionAbortedError extends DatabaseLayerError {
  override readonly name = 'TransactionAbortedError';

  constructor() {
    super('A statement of the transaction had failed, so it was rolled back instead of committed.');
  }
}

/** The work ended the transaction it was given, and with it the role it ran under. */
export class TransactionEndedError extends DatabaseLayerError {
  override readonly name = 'TransactionEndedError';

  constructor() {
    super('The work ended the transaction it was given; it must leave COMMIT and ROLLBACK to the database.');
  }
}

/** Said wherever a session has passed the password alone. */
export const secondStepMessage = 'Confirm your second step first: this account asks for one.';

/** The account of a caller has a second factor, and the caller's session has not passed it. */
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
  /** The process that holds it, and the machine it runs on. */
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

/** The folder was written by a version whose files this one cannot read. */
export class DatabaseVersionError extends DatabaseLayerError {
  override readonly name = 'DatabaseVersionError';
  readonly folder: string;
  readonly found: string;
  readonly needed: string;

  constructor(folder: string, found: string, needed: string) {
    super(
      `The embedded database in ${folder} was written by ${found}; this program reads ${needed}. ` +
        'Write a dump with the version of the program that wrote it, and restore that into a new folder.',
    );
    this.folder = folder;
    this.found = found;
    this.needed = needed;
  }
}

/** The embedded engine could not be made, opened or reopened. */
export class EngineError extends DatabaseLayerError {
  override readonly name = 'EngineError';
  /** It was the disk that had no room. */
  readonly isFull: boolean;

  constructor(message: string, { isFull = false }: { isFull?: boolean } = {}) {
    super(message);
    this.isFull = isFull;
  }
}

/** A set of migrations and what a database remembers of it do not agree. `file` is the one at fault. */
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

/** A dump that cannot be restored; `line` counts from 1, and is 0 where it is not about a line. */
export class RestoreError extends DatabaseLayerError {
  override readonly name = 'RestoreError';
  readonly line: number;

  constructor(line: number, message: string, options?: ErrorOptions) {
    super(line > 0 ? `Line ${line} of the dump: ${message}` : message, options);
    this.line = line;
  }
}

/** What the driver says of a connection that went; it has no codes for it. */
const words =
  /^(?:timeout exceeded when trying to connect|timeout expired|Connection terminated|Client has encountered a connection error|Client was closed and is not queryable|Cannot use a pool after calling end)/;

/**
 * Connection trouble, shortage of resources, a server that starts or stops, and transactions in each other's way: by the
 * classes of PostgreSQL's appendix A. A statement that took too long (57014) is not among them: it would again.
 */
const states = /^(?:08|53|40001|40P01|55P03|25P03|57P0)/;

/** Whether the database could not do it just now, though the same request may well succeed in a moment. */
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

/** `words` that are about the connection of one client only, or about a pool that is short of them. */
const wordsOfPool = /^(?:timeout exceeded when trying to connect|Client was closed|Cannot use a pool)/;

/** Whether there is no database to ask, so that whatever else is asked of it now would fail as well. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error) || !isDatabaseUnavailable(error) || isDiskFull(error)) return false;
  if (error instanceof DatabaseError) return !/^(?:53|40|55|25)/.test(error.code ?? '');
  return !wordsOfPool.test(error.message);
}

const diskFull = '53100';
const codes: ReadonlySet<unknown> = new Set([diskFull, 'ENOSPC', 'EDQUOT']);

/** What callers are told; which disk and which file is for the log. */
export const diskFullMessage =
  'The server has no room left on its disk. What was saved before is kept; try again later.';

/** When it is worth asking again, in seconds: somebody has to make room first. */
export const diskFullRetrySeconds = 30;

/** Whether a disk had no room: that of the database, embedded or a server, or that of files. */
export function isDiskFull(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof EngineError ? at.isFull : codes.has((at as NodeJS.ErrnoException).code)) {
      return true;
    }
  }
  return false;
}
