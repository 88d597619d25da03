import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { roundFileSize } from '@cellfolio/contract';
import { AuthError, type Database, FunctionError } from '@cellfolio/platform';
import { pino } from 'pino';
import { openFiles } from '../../boot/open-stores.ts';
import { accountArchive } from '../../features/account-data/account-archive.ts';
import { clearBytes, deleteAccount } from '../../features/account-data/delete-account.ts';
import { customDatasetId, DatasetNotFound, removeDataset } from '@cellfolio/store';
import { logSettings } from '../../runtime/observability/log-settings.ts';
import { type CommandContext, CommandFailure, exitCode } from '../command.ts';
import { printable } from '../terminal.ts';

/** Throws CommandFailure when the account does not exist. */
async function accountOf({ pool }: Database, email: string): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    'select id from auth.users where email = $1 and deleted_at is null',
    [email],
  );
  if (rows[0]) return rows[0].id;
  throw new CommandFailure(exitCode.notFound, printable(`${email} has no account.`));
}

/** Writes all data of a user into a new file; a partial file is removed on failure. */
export async function exportUser(
  { email: emailAddress, to }: { email: string; to: string },
  database: Database,
  { settings, terminal, signal }: CommandContext,
): Promise<void> {
  const email = emailAddress.trim().toLowerCase();
  const userId = await accountOf(database, email);
  const blobs = await openFiles(settings);
  const siteUrl = settings.siteUrl ?? '';
  const request = { userId, siteUrl, maxFileBytes: Number.POSITIVE_INFINITY, signal };
  // It holds personal data: for its writer alone.
  const file = createWriteStream(to, { flags: 'wx', mode: 0o600 });
  try {
    await pipeline(accountArchive({ database, blobs }, request), file, { signal });
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && path === to)
      throw new CommandFailure(exitCode.exists, `${to} is there already. Give another name.`);
    await rm(to, { force: true });
    throw error;
  } finally {
    await blobs.close();
  }
  const { size } = await stat(to);
  terminal.result({ email, file: to, bytes: size }, () =>
    printable(`${to}: all data of ${email}, ${roundFileSize(size)}.`),
  );
}

/** Deletes a user like their own account page. A running server cleans up what this command leaves. */
export async function deleteUser(
  emailAddress: string,
  database: Database,
  { settings, terminal }: CommandContext,
): Promise<void> {
  const email = emailAddress.trim().toLowerCase();
  const userId = await accountOf(database, email);
  const { rows: datasets } = await database.pool.query<{ id: string }>(
    `select f.id from public.user_files f join cellfolio.custom_datasets d on d.file_id = f.id where f.user_id = $1`,
    [userId],
  );
  const { payments } = settings.functions;
  try {
    await deleteAccount({ database, payments }, userId);
  } catch (error) {
    if (error instanceof FunctionError) throw new CommandFailure(exitCode.failure, error.message);
    // Somebody else was quicker.
    if (error instanceof AuthError) throw new CommandFailure(exitCode.notFound, error.message);
    throw error;
  }
  const blobs = await openFiles(settings);
  const log = pino({ ...logSettings(settings.logLevel) }, process.stderr);
  try {
    await clearBytes({ database, blobs, payments, log });
  } finally {
    await blobs.close();
  }
  for (const { id } of datasets) {
    await removeDataset(settings.objects, customDatasetId(id)).catch((error: unknown) => {
      if (!(error instanceof DatasetNotFound)) throw error;
    });
  }
  terminal.result({ email, deleted: true }, () => printable(`${email} and all their data are deleted.`));
}
