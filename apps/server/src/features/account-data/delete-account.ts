import type { BlobStore } from '@cellfolio/bytes';
import { type Database, removeUser, sweepStorage } from '@cellfolio/platform';
import type { FastifyBaseLogger } from 'fastify';
import type { FunctionsSettingsInput } from '../../runtime/functions/functions-settings.ts';
import { ownerOfUser } from '../../runtime/owners.ts';
import { endPayments } from '../billing/index.ts';

export interface AccountDeletionDeps {
  database: Database;
  blobs: BlobStore;
  payments: FunctionsSettingsInput['payments'];
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
}

/**
 * Ends the paid plan of an account, then deletes the account with all rows in one transaction. The same transaction
 * marks its bytes and datasets as deleted and cancels its jobs, so that the next sweep of any process clears whatever
 * remains. Throws AuthError `user_not_found`, or FunctionError when the plan cannot be ended; nothing is deleted then.
 */
export async function deleteAccount(
  { database, payments }: Pick<AccountDeletionDeps, 'database' | 'payments'>,
  userId: string,
): Promise<void> {
  const beforeRemoval = (id: string) => endPayments(database, payments, ownerOfUser(id));
  await removeUser({ database, now: Date.now, beforeRemoval }, userId, false);
}

/** Deletes the bytes of deleted objects. If a store is unavailable, the next sweep retries. */
export async function clearBytes({ database, blobs, log }: AccountDeletionDeps): Promise<void> {
  await sweepStorage({ database, blobs, log: log as FastifyBaseLogger, now: Date.now }).catch(
    (error: unknown) =>
      log.warn({ err: error }, 'the bytes of a deleted account could not be cleared away now'),
  );
}
