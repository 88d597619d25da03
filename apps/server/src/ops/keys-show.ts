import {
  type Database,
  type ProjectKeys,
  provisionKeys,
  replaceKey,
  replaceSecrets,
} from '@cellfolio/platform';
import type { Settings } from '../boot/settings/read-settings.ts';
import { alignColumns } from './table.ts';
import type { Terminal } from './terminal.ts';
import { withDatabase } from './with-database.ts';

export type KeyName = 'publishable' | 'secret' | 'all';

/** Prints the keys that clients of the platform are made with; they are made where there were none. */
export async function showKeys(settings: Settings, terminal: Terminal): Promise<void> {
  await withDatabase(settings, (database) => printKeys(database, terminal));
}

export async function printKeys(database: Database, terminal: Terminal): Promise<void> {
  const keys = await provisionKeys(database);
  terminal.result(answerOf(keys), () =>
    alignColumns([
      ['publishable', keys.publishableKey, 'for web apps: stands for a visitor'],
      ['secret', keys.secretKey, 'for servers of yours: may do everything; keep it as a password'],
    ]),
  );
}

/** Makes one of them anew, or all that is secret. */
export async function replaceOneKey(which: KeyName, settings: Settings, terminal: Terminal): Promise<void> {
  await withDatabase(settings, (database) => makeKeyAnew(database, which, terminal));
}

export async function makeKeyAnew(database: Database, which: KeyName, terminal: Terminal): Promise<void> {
  if (which === 'all') return makeSecretsAnew(database, terminal);
  const keys = await replaceKey(database, which);
  terminal.result(
    answerOf(keys),
    () =>
      `The ${which} key is now ${which === 'secret' ? keys.secretKey : keys.publishableKey}\n` +
      'Servers take the old one until they are started again; clients that were given it need the new one.',
  );
}

async function makeSecretsAnew(database: Database, terminal: Terminal): Promise<void> {
  const keys = await replaceSecrets(database);
  terminal.result(
    answerOf(keys),
    () =>
      `The secret key is now ${keys.secretKey}\n` +
      'Every secret of the installation is new: start all servers again. Everybody signs in anew; signed addresses of files and mailed links and codes of before are void.',
  );
}

function answerOf({ publishableKey, secretKey }: ProjectKeys) {
  return { publishableKey, secretKey };
}
