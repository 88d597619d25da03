import {
  type Database,
  type ProjectKeys,
  provisionKeys,
  replaceKey,
  replaceSecrets,
  SigningKeys,
} from '@cellfolio/platform';
import type { CommandContext } from './command.ts';
import { alignColumns } from './terminal.ts';

export type KeyName = 'publishable' | 'secret' | 'all';

export async function printKeys(database: Database, { terminal }: CommandContext): Promise<void> {
  const keys = await provisionKeys(database);
  terminal.result(answerOf(keys), () =>
    alignColumns([
      ['publishable', keys.publishableKey, 'for web apps: the rights of a visitor'],
      ['secret', keys.secretKey, 'for your servers: all rights; keep it like a password'],
    ]),
  );
}

export async function replaceOneKey(
  which: KeyName,
  database: Database,
  context: CommandContext,
): Promise<void> {
  if (which === 'all') return replaceAllSecrets(database, context);
  const keys = await replaceKey(database, which);
  context.terminal.result(
    answerOf(keys),
    () =>
      `The ${which} key is now ${which === 'secret' ? keys.secretKey : keys.publishableKey}\n` +
      'Servers accept the old key until they are restarted. Give the new key to its clients.',
  );
}

async function replaceAllSecrets(database: Database, { terminal }: CommandContext): Promise<void> {
  const keys = await replaceSecrets(database);
  terminal.result(
    answerOf(keys),
    () =>
      `The secret key is now ${keys.secretKey}\n` +
      'All secrets of the installation were replaced: restart all servers. All users must sign in again; signed file addresses and mailed links and codes are no longer valid.',
  );
}

function answerOf({ publishableKey, secretKey }: ProjectKeys) {
  return { publishableKey, secretKey };
}

/** Lifetime of an access token, in seconds; the default of the platform. */
const accessTokenSeconds = 3600;

/** Signs access tokens with a new key; tokens of the old key stay valid until they expire. */
export async function rotateKeys(database: Database, { terminal }: CommandContext): Promise<void> {
  const kid = await new SigningKeys(database).rotate(accessTokenSeconds);
  terminal.result(
    { kid },
    () => `Access tokens are now signed with the key ${kid}; running servers use it within a minute.`,
  );
}
