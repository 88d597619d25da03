import { authenticatorCode } from '@cellfolio/platform/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareOwners, ownersPassword } from '../../testing/own-files.ts';
import { apiClient, startTestServer, type TestServer } from '../../testing/running-server.ts';
import { ownDataClient } from '../uploads/testing/own-data-client.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({}, ({ dataDir }) =>
    prepareOwners(dataDir, async ({ addUser }) => {
      for (const name of ['ada', 'ben', 'dot', 'eve']) await addUser(name, 'Professional');
    }),
  );
});
afterAll(() => server?.close());

const signIn = (name: string) => server.signInAs(`${name}@example.org`, ownersPassword);
const clientOf = async (name: string) => {
  const token = await signIn(name);
  return { token, api: apiClient(server, token, 'tab'), own: ownDataClient(server, token) };
};
const credentials = (name: string, password = ownersPassword) => ({ email: `${name}@example.org`, password });
const auth = async (path: string, body: object, token: string): Promise<Record<string, never>> => {
  const answer = await fetch(`${server.siteUrl}/auth/v1/${path}`, {
    method: 'POST',
    headers: {
      apikey: server.config.publishableKey,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as Record<string, never>;
};

test('an account is deleted by its owner alone, with address and password, and is gone at once', async () => {
  const { token, api, own } = await clientOf('ada');
  const other = await clientOf('ben');
  await own.upload('cells.tsv', 'gene\tcell\n');
  const fileId = await other.own.upload('kept.tsv', 'gene\tcell\n');
  const { body: link } = await api.post('/api/links', { address: '/explorer?dataset=d' });
  const { signedURL } = (await (
    await fetch(`${server.siteUrl}/storage/v1/object/sign/user-files/${own.userId}/1_cells.tsv`, {
      method: 'POST',
      headers: {
        apikey: server.config.publishableKey,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ expiresIn: 600 }),
    })
  ).json()) as { signedURL: string };
  const signed = () => fetch(`${server.siteUrl}/storage/v1${signedURL}`);
  expect((await signed()).status).toBe(200);
  const [{ key }] = (await (await own.rest('POST', 'rpc/create_api_key', { key_name: 'script' })).json()) as [
    { key: string },
  ];
  expect((await api.get('/api/account')).body).toMatchObject({
    files: { count: 1, bytes: 10 },
    files_included: true,
    paid_plan: null,
    password: true,
    tables: expect.arrayContaining([{ name: 'links', title: 'Short links', rows: 1 }]) as never,
  });

  // A personal key may do none of it, also beside a token.
  for (const [method, path] of [
    ['GET', '/api/account'],
    ['GET', '/api/account/archive'],
    ['POST', '/api/account/delete'],
  ] as const) {
    const refused = await api.send(method, path, method === 'POST' ? credentials('ada') : undefined, {
      'x-api-key': key,
    });
    expect([refused.status, refused.body.code], path).toEqual([403, 'session_required']);
  }
  expect((await api.post('/api/account/delete', credentials('ben'))).body.code).toBe('validation_failed');
  expect((await api.post('/api/account/delete', credentials('ada', 'wrong'))).body.code).toBe(
    'current_password_invalid',
  );
  expect((await api.get('/api/account')).status).toBe(200);

  const { body: zip, headers } = await api.get('/api/account/archive');
  expect(headers.get('content-type')).toBe('application/zip');
  expect(headers.get('content-disposition')).toMatch(
    /^attachment; filename="cellfolio-\d{4}-\d\d-\d\d\.zip"/,
  );
  expect(Buffer.from(zip as Uint8Array).includes('files/1_cells.tsv')).toBe(true);

  expect((await api.post('/api/account/delete', credentials(' ADA'))).body).toEqual({ deleted: true });
  expect((await signed()).status).toBe(400);
  expect((await other.api.get(`/api/links/${link.id}`)).body.code).toBe('link_not_found');
  expect(await signIn('ada')).toBeUndefined();
  const withKey = await fetch(`${server.siteUrl}/api/gene-lists`, { headers: { 'x-api-key': key } });
  expect(withKey.status).toBe(401);
  await expect.poll(async () => (await api.get('/api/own-files')).status, { timeout: 10_000 }).toBe(401);
  expect((await other.own.list()).files).toMatchObject([{ file_id: fileId }]);
});

test('wrong passwords are limited as those of a sign-in are', async () => {
  const { api } = await clientOf('eve');
  const answers: number[] = [];
  let last: Headers | undefined;
  while (answers.length < 40 && answers.at(-1) !== 429) {
    const { status, headers } = await api.post('/api/account/delete', credentials('eve', 'wrong'));
    answers.push(status);
    last = headers;
  }
  expect(new Set(answers)).toEqual(new Set([403, 429]));
  expect(Number(last?.get('retry-after'))).toBeGreaterThan(0);
});

test('a session without the second step deletes nothing, and one that has passed it does', async () => {
  const token = await signIn('dot');
  const factor = await auth('factors', { factor_type: 'totp' }, token);
  const { secret } = factor['totp'] as unknown as { secret: string };
  const challenge = async (session: string) => {
    const { id } = await auth(`factors/${factor['id']}/challenge`, {}, session);
    return auth(
      `factors/${factor['id']}/verify`,
      { challenge_id: id, code: authenticatorCode(secret) },
      session,
    );
  };
  const whole = await challenge(token);
  const alone = apiClient(server, await signIn('dot'), 'tab');
  expect((await alone.post('/api/account/delete', credentials('dot'))).status).toBe(401);
  const both = apiClient(server, whole['access_token'] as unknown as string, 'tab');
  expect((await both.post('/api/account/delete', credentials('dot'))).body).toEqual({ deleted: true });
});
