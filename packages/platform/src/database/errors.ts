/** A failure of the database layer itself; failures of a statement are `pg.DatabaseError`. */
export class DatabaseLayerError extends Error {
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
