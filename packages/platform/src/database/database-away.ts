import { connectionCodes } from '@cellfolio/bytes';
import { DatabaseError } from 'pg';
import { EngineError } from './errors.ts';

/** What the driver says of a connection that went; it has no codes for it. */
const words =
  /^(?:timeout exceeded when trying to connect|timeout expired|Connection terminated|Client has encountered a connection error|Client was closed and is not queryable|Cannot use a pool after calling end)/;

/**
 * Connection trouble, shortage of resources, a server that starts or stops, and transactions in each other's way: by the
 * classes of PostgreSQL's appendix A. A statement that took too long (57014) is not among them: it would again.
 */
const states = /^(?:08|53|40001|40P01|55P03|25P03|57P0)/;

/** Whether the database could not do it just now, though the same request may well succeed in a moment. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof EngineError) return true;
  if (error instanceof DatabaseError) return error.severity === 'FATAL' || states.test(error.code ?? '');
  const { code, syscall } = error as NodeJS.ErrnoException;
  // A server that is reached by a socket file has none while it is away.
  if (code !== undefined && (connectionCodes.has(code) || (code === 'ENOENT' && syscall === 'connect')))
    return true;
  return words.test(error.message);
}
