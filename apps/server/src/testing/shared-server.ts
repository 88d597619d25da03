import { mkdir, rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { provisionKeys } from '@cellfolio/platform';
import { expect } from 'vitest';
import type { Settings } from '../boot/settings/read-settings.ts';
import { ownersPassword, prepareOwners } from './own-files.ts';
import { startTestServer, type TestServer } from './running-server.ts';

/** The server as seen by one test file; it ends with the worker. */
export type SharedServer = Omit<TestServer, 'close'>;

interface Started {
  server: TestServer;
  secretKey: string;
  /** Hash of `ownersPassword` that is quick to verify. */
  passwordHash: string;
}

/** Slightly longer than the server caches its lists of datasets, gene sets and orthologues. */
const listedAfterMilliseconds = 2100;

let started: Promise<Started> | undefined;
let files = 0;

/**
 * The server of this worker, used by its test files one after the other: each prepares its own datasets and lists, and
 * has its own accounts. It has the default settings. Tests of other settings, or of changes that bypass caches, such as
 * damage to a dataset, start their own server. Results computed for an equal dataset with the same id stay cached: a
 * test of the work itself, not of its result, needs its own id.
 */
export async function shareTestServer(
  prepare: (settings: Settings) => Promise<unknown>,
): Promise<SharedServer> {
  const shared = await (started ??= start());
  const { server } = shared;
  const { objectRoot } = server.settings;
  await rm(objectRoot, { recursive: true, force: true });
  await mkdir(objectRoot);
  await prepare(server.settings);
  await pause(listedAfterMilliseconds);
  const file = ++files;
  const accounts = new Map<string, Promise<string>>();
  return {
    ...server,
    async signIn(tier) {
      const account = accounts.get(tier) ?? addAccount(shared, tier, `${tier}-${file}@example.org`);
      accounts.set(tier, account);
      return server.signInAs(await account, ownersPassword);
    },
  };
}

async function start(): Promise<Started> {
  const secrets = { secretKey: '', passwordHash: '' };
  const server = await startTestServer({}, ({ dataDir }) =>
    prepareOwners(dataDir, async ({ database, addUser }) => {
      ({ secretKey: secrets.secretKey } = await provisionKeys(database));
      const { rows } = await database.pool.query<{ hash: string }>(
        'select encrypted_password as hash from auth.users where id = $1',
        [await addUser('hashed', undefined)],
      );
      secrets.passwordHash = rows[0]!.hash;
    }),
  );
  return { server, ...secrets };
}

async function addAccount(
  { server, secretKey, passwordHash }: Started,
  tier: string,
  email: string,
): Promise<string> {
  const post = async (path: string, body: object): Promise<unknown> => {
    const answer = await fetch(`${server.siteUrl}${path}`, {
      method: 'POST',
      headers: {
        apikey: secretKey,
        authorization: `Bearer ${secretKey}`,
        'content-type': 'application/json',
        prefer: 'return=representation',
      },
      body: JSON.stringify(body),
    });
    expect(answer.ok, path).toBe(true);
    return answer.json();
  };
  const user = (await post('/auth/v1/admin/users', {
    email,
    email_confirm: true,
    password_hash: passwordHash,
    ...(tier === 'professional' && { app_metadata: { operator: true } }),
  })) as { id: string };
  const plan = { standard: 'Standard', professional: 'Professional' }[tier];
  if (plan) await post('/rest/v1/subscriptions', { user_id: user.id, source: 'operator', tier: plan });
  return email;
}
