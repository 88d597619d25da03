import { type Database, SigningKeys } from '@cellfolio/platform';
import type { Settings } from '../boot/settings/read-settings.ts';
import type { Terminal } from './terminal.ts';
import { withDatabase } from './with-database.ts';

/** Life of an access token, in seconds: the platform's own setting, which no variable changes. */
const accessTokenSeconds = 3600;

/** Signs access tokens with a new key; those that are signed stay good until they end. */
export async function rotateKeys(settings: Settings, terminal: Terminal): Promise<void> {
  await withDatabase(settings, (database) => rotate(database, terminal));
}

export async function rotate(database: Database, terminal: Terminal): Promise<void> {
  const kid = await new SigningKeys(database).rotate(accessTokenSeconds);
  terminal.result(
    { kid },
    () => `Access tokens are signed with the key ${kid} from now on; running servers follow within a minute.`,
  );
}
