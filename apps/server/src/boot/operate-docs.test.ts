import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openDatabase, provisionKeys } from '@cellfolio/platform';
import { postgresPrograms, type PrivatePostgres, startPrivatePostgres } from '@cellfolio/platform/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../testing/run-command.ts';
import { startTestServer, type TestServer } from '../testing/running-server.ts';

const programs = postgresPrograms();
const canCurl = ['curl', 'bash'].every((tool) => spawnSync(tool, ['--version']).status === 0);
if (!programs || !canCurl)
  console.warn(
    'SKIPPED: the examples of docs/operate.md were not run; PostgreSQL, curl or bash is not there.',
  );

describe.skipIf(!programs || !canCurl)('what docs/operate.md says of accounts', { timeout: 60_000 }, () => {
  const email = 'ada@example.org';
  const password = 'correct horse';
  let folder: string;
  let postgres: PrivatePostgres;
  let server: TestServer;
  let secretKey: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cellfolio-operate-docs-'));
    postgres = await startPrivatePostgres(programs!);
    server = await startTestServer(
      { DATABASE_URL: postgres.url, DEMO: 'false', USER_STORAGE_GB: '40' },
      async () => {},
    );
    const database = await openDatabase({ url: postgres.url, dataDir: folder });
    ({ secretKey } = await provisionKeys(database));
    await database.close();
    await asAdmin('users', { email, password, email_confirm: true });
  });
  afterAll(async () => {
    await server?.close();
    await postgres?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const asAdmin = (path: string, body: object) =>
    fetch(`${server.siteUrl}/auth/v1/admin/${path}`, {
      method: 'POST',
      headers: { apikey: secretKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const command = (...words: string[]) =>
    runCommand(words, { DATABASE_URL: postgres.url, DATA_DIR: folder, DEMO: 'false' });
  const signIn = async () => {
    const answer = await fetch(`${server.siteUrl}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: {
        apikey: server.config.publishableKey,
        'content-type': 'application/json',
        'user-agent': 'Lab tablet \u009b31m',
      },
      body: JSON.stringify({ email, password }),
    });
    return (await answer.json()) as { access_token: string; refresh_token: string };
  };

  test('the curl examples of the admin calls run in order', async () => {
    const text = await readFile(new URL('../../../../docs/operate.md', import.meta.url), 'utf8');
    const examples = [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, code]) => code!);
    expect(examples.length).toBeGreaterThan(0);
    const env = { ...process.env, CELLFOLIO_URL: server.siteUrl, CELLFOLIO_SECRET_KEY: secretKey };
    const at = await mkdtemp(join(folder, 'examples-'));
    // An account that was deleted after a backup, and came back with it.
    const accounts = async () => (await command('user', 'list', '--json')).out;
    await writeFile(join(at, 'accounts.json'), await accounts());
    await asAdmin('users', { email: 'deleted@example.org', password, email_confirm: true });
    await writeFile(join(at, 'restored.json'), await accounts());
    await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', examples.join('\n')], { cwd: at, env });
    const left = (JSON.parse(await accounts()) as { users: { email: string }[] }).users;
    expect(left.map((one) => one.email)).toEqual([email]);
    const answers = Object.fromEntries(
      await Promise.all(
        (await readdir(at))
          .filter((name) => name.endsWith('.json') && !/^(?:accounts|restored)/.test(name))
          .map(
            async (name) => [name.slice(0, -5), JSON.parse(await readFile(join(at, name), 'utf8'))] as const,
          ),
      ),
    ) as Record<string, { app_metadata?: object }>;
    const user = { email: 'grace@example.org' };
    expect(answers).toEqual({
      made: expect.objectContaining(user),
      found: expect.objectContaining({ users: [expect.objectContaining(user)] }),
      one: expect.objectContaining(user),
      blocked: expect.objectContaining({ banned_until: expect.stringMatching(/^20/) }),
      unblocked: expect.objectContaining(user),
      password: expect.objectContaining(user),
      operator: expect.objectContaining({ app_metadata: expect.objectContaining({ operator: true }) }),
      user: expect.objectContaining(user),
      link: expect.objectContaining({ action_link: expect.stringContaining('type=recovery') }),
      factors: [],
      deleted: {},
    });
    expect(answers['unblocked']).not.toHaveProperty('banned_until');
    expect(answers['user']!.app_metadata).not.toHaveProperty('operator');
  });

  test('an operator lists the sessions of a user beside a running server, and ends them', async () => {
    const [first, second] = [await signIn(), await signIn()];
    const listed = await command('user', 'sessions', ` ${email.toUpperCase()}`);
    expect([listed.code, listed.err]).toEqual([0, '']);
    const [head, ...lines] = listed.out.trimEnd().split('\n');
    expect(head).toMatch(/^SESSION +BEGAN +REFRESHED +LEVEL +ADDRESS +DEVICE$/);
    expect(lines).toHaveLength(2);
    for (const line of lines)
      expect(line).toMatch(
        /^[\da-f-]{36} +20\S+ \d\d:\d\d +20\S+ \d\d:\d\d +aal1 +127\.0\.0\.1 +Lab tablet �31m$/,
      );

    const id = sessionOf(first.access_token);
    const one = await command('user', 'end-sessions', email, '--session', id);
    expect([one.code, one.out]).toEqual([0, expect.stringMatching(/^ada@example\.org: 1 session ended\./)]);
    const left = await command('user', 'sessions', email, '--json');
    expect(JSON.parse(left.out)).toMatchObject({
      email,
      sessions: [{ id: sessionOf(second.access_token), level: 'aal1', address: '127.0.0.1' }],
    });
    const again = await command('user', 'end-sessions', email, '--session', id);
    expect([again.code, again.err]).toEqual([4, expect.stringContaining(`has no session ${id}`)]);
    expect((await command('user', 'end-sessions', email)).out).toMatch(/: 1 session ended\./);
    expect((await command('user', 'sessions', email)).out).toBe('ada@example.org has no session.\n');
    expect((await command('user', 'sessions', 'nobody@example.org')).code).toBe(4);
  });

  test('the access token of an ended session stops working where and when the page says', async () => {
    const { access_token: token, refresh_token: refresh } = await signIn();
    const ask = async (path: string, init: RequestInit = {}) =>
      (
        await fetch(server.siteUrl + path, {
          ...init,
          headers: {
            apikey: server.config.publishableKey,
            'content-type': 'application/json',
            ...server.headers(token),
          },
        })
      ).status;
    const rows = '/rest/v1/user_files?select=id';
    const everywhere = () => Promise.all(['/auth/v1/user', '/api/own-files', rows].map((path) => ask(path)));
    expect(await everywhere()).toEqual([200, 200, 200]);
    const began = Date.now();
    expect((await command('user', 'end-sessions', email)).code).toBe(0);
    expect(await ask('/auth/v1/user')).toBe(403);
    expect(await ask('/functions/v1/check-subscription', { method: 'POST', body: '{}' })).toBe(401);
    const refreshed = { method: 'POST', body: JSON.stringify({ refresh_token: refresh }) };
    expect(await ask('/auth/v1/token?grant_type=refresh_token', refreshed)).toBe(400);
    while ((await ask('/api/own-files')) !== 401 && Date.now() < began + 20_000) await pause(100);
    expect(await everywhere()).toEqual([403, 401, 200]);
  });

  test('the room for files that pages and calls state is that of the setting', async () => {
    const { access_token: token } = await signIn();
    const room = async () =>
      (await (
        await fetch(`${server.siteUrl}/api/own-files`, { headers: server.headers(token) })
      ).json()) as object;
    expect(await room()).toMatchObject({ quota_bytes: 0 });
    expect((await command('user', 'plan', email, 'Professional')).code).toBe(0);
    expect(await room()).toMatchObject({ quota_bytes: 40e9 });
  });
});

function sessionOf(token: string): string {
  const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as {
    session_id: string;
  };
  return claims.session_id;
}
