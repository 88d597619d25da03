import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createUser,
  type Database,
  migrate,
  openDatabase,
  provisionKeys,
  SigningKeys,
} from '@cellfolio/platform';
import { isOperator } from '../../features/accounts/index.ts';
import { listUsers } from '../../features/billing/index.ts';
import { copyTestDatabase } from '@cellfolio/platform/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paths } from '../../boot/paths.ts';
import { readSettings, type Settings } from '../../boot/settings/read-settings.ts';
import type { CommandContext } from '../command.ts';
import { printKeys, replaceOneKey, rotateKeys } from '../keys.ts';
import type { Terminal } from '../terminal.ts';
import { lastDay, planTier } from './commands.ts';
import { endSessions, printSessions } from './sessions.ts';
import { printToolCalls } from './tool-calls.ts';
import { changeOperator, changePlan, setUserPlan } from './users.ts';

const email = 'ada@example.org';
const day = 86_400_000;
let dataDir: string;
let settings: Settings;
let database: Database;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cellfolio-plan-'));
  settings = readSettings({ DATA_DIR: dataDir });
  await copyTestDatabase(dataDir);
  database = await openDatabase({ dataDir });
  await migrate(database, paths.migrations);
  const password = 'correct horse';
  await createUser(database, { email, password, confirmed: true });
  const createdAt = new Date(Date.now() - 30 * day);
  await createUser(database, { email: 'old@example.org', password, confirmed: true, createdAt });
  await database.pool.query(
    `insert into public.subscriptions (user_id, source, tier, until)
     select id, 'stripe', 'Standard', now() + interval '20 days' from auth.users where email = 'old@example.org'`,
  );
});
afterAll(async () => {
  await database?.close();
  await rm(dataDir, { recursive: true, force: true });
});

const silent: Terminal = {
  json: false,
  result: () => {},
  progress: () => ({ update: () => {}, stop: () => {} }),
};

const contextOf = (terminal: Terminal): CommandContext => ({
  settings,
  terminal,
  signal: new AbortController().signal,
});

async function plan(who: string, tier: string, until?: string) {
  const output = { text: '', value: {} as Record<string, unknown> };
  const terminal: Terminal = {
    ...silent,
    result: (value, text) => {
      output.text = text();
      output.value = JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
    },
  };
  const change = {
    email: who,
    tier: planTier(tier),
    until: until === undefined ? undefined : lastDay(until),
  };
  await changePlan(database, change, contextOf(terminal));
  return output;
}

describe('cellfolio user operator', () => {
  const texts: string[] = [];
  const terminal: Terminal = { ...silent, result: (_value, text) => void texts.push(text()) };
  const change = (who: string, operates: boolean) =>
    changeOperator({ email: who, operates }, database, contextOf(terminal));

  test('makes an account an operator, and revokes that', async () => {
    const ada = (await listUsers(database, { trialDays: 7 })).find((user) => user.email === email)!.id;
    await change(' Ada@Example.org', true);
    expect(await isOperator(database, ada)).toBe(true);
    await change(email, false);
    expect(await isOperator(database, ada)).toBe(false);
    expect(texts).toEqual([
      `${email} is now an operator of this server.`,
      `${email} is no longer an operator.`,
    ]);
  });

  test('fails with the exit code for not found for an unknown account', async () => {
    await expect(change('nobody@example.org', true)).rejects.toMatchObject({ exitCode: 4 });
  });
});

describe('cellfolio user sessions and end-sessions', () => {
  const texts: string[] = [];
  const context = () => contextOf({ ...silent, result: (_value, text) => void texts.push(text()) });
  const begin = async (id: string, who: string, level: string, refreshed: string) =>
    database.pool.query(
      `insert into auth.sessions (id, user_id, aal, created_at, refreshed_at, ip, user_agent)
       select $1, id, $3, '2026-05-01T08:00:00Z', $4, '192.0.2.7', 'Firefox' from auth.users where email = $2`,
      [id, who, level, refreshed],
    );
  const [one, two, others] = [1, 2, 3].map((last) => `00000000-0000-4000-8000-00000000000${last}`);

  test('with the embedded database they are listed by their last use, and only those of the account end', async () => {
    await begin(one!, email, 'aal1', '2026-05-01T08:00:00Z');
    await begin(two!, email, 'aal2', '2026-05-02T09:30:00Z');
    await begin(others!, 'old@example.org', 'aal1', '2026-05-02T09:30:00Z');
    await printSessions(email, database, context());
    expect(texts.at(-1)!.split('\n')).toEqual([
      expect.stringMatching(/^SESSION/),
      `${two}  2026-05-01 08:00  2026-05-02 09:30  aal2   192.0.2.7  Firefox`,
      `${one}  2026-05-01 08:00  2026-05-01 08:00  aal1   192.0.2.7  Firefox`,
    ]);
    const wrong = endSessions({ email, session: others }, database, context());
    await expect(wrong).rejects.toMatchObject({ exitCode: 4 });
    await endSessions({ email, session: undefined }, database, context());
    expect(texts.at(-1)).toMatch(/^ada@example\.org: 2 sessions ended\. /);
    const { rows } = await database.pool.query('select id from auth.sessions');
    expect(rows).toEqual([{ id: others }]);
  });
});

describe('cellfolio user tool-calls', () => {
  const texts: string[] = [];
  const print = async (who: string | undefined) => {
    const terminal = { ...silent, result: (_value: unknown, text: () => string) => void texts.push(text()) };
    await printToolCalls({ email: who, count: 100 }, database, contextOf(terminal));
    return texts.at(-1)!;
  };

  test('lists the calls of a user or of all, newest first, with names that cannot steer the terminal', async () => {
    expect(await print(undefined)).toBe('No tool was called.');
    const add = (who: string, dataset: string, name: string) =>
      database.pool.query(
        `insert into cellfolio.tool_calls (user_id, at, tool, dataset_id, credential, credential_name, status, milliseconds)
         select id, '2026-05-01T08:00:00Z', 'find_genes', $2, 'key', $3, 200, 12 from auth.users where email = $1`,
        [who, dataset, name],
      );
    await add(email, 'cells.h5ad', 'Lap\u001b[31mtop');
    await add('old@example.org', '', 'Desk');
    const lines = (await print(undefined)).split('\n').map((line) => line.split(/ {2,}/));
    expect(lines.map(([, who, , dataset]) => [who, dataset])).toEqual([
      ['USER', 'DATASET'],
      ['old@example.org', '-'],
      [email, 'cells.h5ad'],
    ]);
    const own = await print(email);
    expect(own).toContain('2026-05-01 08:00');
    expect(own).not.toContain('Desk');
    expect(own).not.toContain('\u001b');
    await expect(print('gone@example.org')).rejects.toMatchObject({ exitCode: 4 });
  });
});

describe('cellfolio user plan', () => {
  test('prints the new plan, given in any case', async () => {
    const { text, value } = await plan(' Ada@Example.org', 'PROFESSIONAL', '2099-12-31');
    expect(text).toBe('ada@example.org: Professional until 2099-12-31.');
    expect(value).toMatchObject({
      tier: 'Professional',
      until: '2099-12-31T23:59:59.000Z',
      subscription: { subscribed: true, tier: 'Professional', trialExpired: false },
    });
    expect((await plan(email, 'standard')).text).toBe('ada@example.org: Standard.');
  });

  test('says that the last day is over, and which plan applies', async () => {
    const { text, value } = await plan(email, 'standard', '2020-02-29');
    expect(text).toMatch(/: Standard until 2020-02-29, which has ended; on free trial until \d{4}-/);
    expect(value).toMatchObject({ subscription: { subscribed: false, trialExpired: false } });
    expect((await plan(email, 'none')).text).toMatch(/: no plan; on free trial until/);
  });

  test('revokes a plan of the operator, not a paid one', async () => {
    expect((await plan('old@example.org', 'professional')).text).toMatch(/: Professional\.$/);
    expect((await plan('old@example.org', 'trial')).text).toMatch(
      /: no plan; the paid plan Standard applies\.$/,
    );
  });

  test('an unknown address is refused, and printed without control characters', async () => {
    await expect(plan('nobody@example.org', 'standard')).rejects.toMatchObject({
      name: 'CommandFailure',
      exitCode: 4,
      message: 'nobody@example.org has no account.',
    });
    const hostile = await plan(`${String.fromCodePoint(27)}[31mx`, 'standard').catch((error: Error) => error);
    expect(String((hostile as Error).message)).not.toContain(String.fromCodePoint(27));
  });

  test('no plan with a last day is refused before the database is opened', async () => {
    const change = { email, tier: null, until: lastDay('2099-12-31') };
    await expect(setUserPlan(change, contextOf(silent))).rejects.toMatchObject({ exitCode: 2 });
    const planChange = setUserPlan({ email, tier: null, until: undefined }, contextOf(silent));
    await expect(planChange).rejects.toMatchObject({ name: 'DatabaseLockedError' });
  });
});

test.each([
  '2027-02-29',
  '2027-02-30',
  '2027-13-01',
  '2027-00-10',
  '27-01-01',
  '2027-1-1',
  'tomorrow',
  '',
  '2027-01-01T00:00:00Z',
])('the last day %j is refused', (text) => {
  expect(() => lastDay(text)).toThrow('It must be a date such as 2027-12-31.');
});

test.each(['gold', '', '__proto__', 'constructor', 'expired'])('the plan %j is refused', (text) => {
  expect(() => planTier(text)).toThrow('It must be Standard, Professional, trial or none.');
});

test('the last day counts until it ends', () => {
  expect(lastDay('2028-02-29').toISOString()).toBe('2028-02-29T23:59:59.000Z');
});

test('rotating keys prints the id of the new key and keeps the old one', async () => {
  const keys = new SigningKeys(database);
  const before = (await keys.current()).kid;
  let output: unknown;
  await rotateKeys(database, contextOf({ ...silent, result: (value) => void (output = value) }));
  const published = (await new SigningKeys(database).published()).map(({ kid }) => kid);
  expect(published).toHaveLength(2);
  expect(published).toContain(before);
  expect(output).toEqual({ kid: published.find((kid) => kid !== before) });
});

test('keys are printed, and one can be replaced alone', async () => {
  const output = { text: '', value: {} as { publishableKey?: string; secretKey?: string } };
  const terminal: Terminal = {
    ...silent,
    result: (value, text) => {
      output.text = text();
      output.value = value as typeof output.value;
    },
  };
  await printKeys(database, contextOf(terminal));
  const { publishableKey, secretKey } = await provisionKeys(database);
  expect(output.value).toEqual({ publishableKey, secretKey });
  expect(output.text).toContain(secretKey);
  await replaceOneKey('secret', database, contextOf(terminal));
  expect(output.value.publishableKey).toBe(publishableKey);
  expect(output.value.secretKey).toMatch(/^sb_secret_[\w-]{32}$/);
  expect(output.value.secretKey).not.toBe(secretKey);
  expect(await provisionKeys(database)).toMatchObject(output.value);
});

test('after all secrets are replaced a copy of the database is useless', async () => {
  const account = (await listUsers(database, { trialDays: 7 }))[0]!.id;
  await database.pool.query('insert into auth.sessions (id, user_id) values (gen_random_uuid(), $1)', [
    account,
  ]);
  await database.pool.query(
    `insert into auth.service_secrets (name, value)
     values ('refresh_token_key', 'known'), ('storage_url_key', 'known'), ('one_time_code_key', 'known')`,
  );
  const before = {
    keys: await provisionKeys(database),
    kid: (await new SigningKeys(database).current()).kid,
  };
  await replaceOneKey('all', database, contextOf(silent));
  const after = { keys: await provisionKeys(database), signing: await new SigningKeys(database).published() };
  expect(after.keys).toEqual({ ...before.keys, secretKey: expect.not.stringMatching(before.keys.secretKey) });
  expect(after.signing.map(({ kid }) => kid)).toEqual([expect.not.stringMatching(before.kid)]);
  const { rows } = await database.pool.query(
    `select value as left_over from auth.service_secrets where value = 'known'
     union all select id::text from auth.sessions
     union all select token_hash from auth.one_time_tokens`,
  );
  expect(rows).toEqual([]);
});
