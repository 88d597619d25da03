import fastify, { type FastifyInstance, type InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countingQueries } from '../counting-queries.ts';
import type { Database } from '../database/database.ts';
import { openTestDatabase, passwordCost } from '../database/test-databases.ts';
import { type PlatformOptions, platformPlugin } from '../platform-plugin.ts';
import type { Mail } from './mail/mailer.ts';

const publishableKey = 'sb_publishable_test';
const secretKey = 'sb_secret_test';
const url = 'http://127.0.0.1:3000';
const password = 'correct horse';
const headers = { apikey: publishableKey, 'x-supabase-api-version': '2024-01-01' };

let database: Database;
let counted: ReturnType<typeof countingQueries>;
const mails: Mail[] = [];
beforeAll(async () => {
  database = await openTestDatabase();
  counted = countingQueries(database);
});
afterAll(() => database?.close());

async function build(settings: PlatformOptions['settings'] = {}): Promise<FastifyInstance> {
  const app = fastify();
  await app.register(platformPlugin, {
    database: counted.database,
    siteUrl: url,
    publicUrl: url,
    publishableKey,
    secretKey,
    mailer: { send: async (mail) => void mails.push(mail) },
    sms: { send: async () => {} },
    settings: { rateLimits: false, passwordCost, ...settings },
  });
  return app;
}

const post = (path: string, payload: object = {}, more: Record<string, string> = {}): InjectOptions => ({
  method: 'POST',
  url: `/auth/v1${path}`,
  headers: { ...headers, ...more },
  payload,
});

describe('1,000 mutated requests', () => {
  const generator = (seed: number) => {
    let state = seed;
    return (below: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
  };
  const values: readonly unknown[] = [
    null,
    true,
    -1,
    1e308,
    '',
    ' ',
    '\0',
    'a\0b@example.org',
    '\ud800',
    '😀'.repeat(40),
    'x'.repeat(20_000),
    "'; drop table auth.users; --",
    '<script>alert(1)</script>',
    '../../etc/passwd',
    '%00%ff%',
    '{{7*7}}',
    [],
    ['a'],
    {},
    { a: { b: { c: [] } } },
    'ada@example.org',
    '+4915112345678',
    '00000000-0000-0000-0000-000000000000',
    '000000',
    'signup',
    'recovery',
    'totp',
    'javascript:alert(1)',
    'https://evil.example',
    Number.MAX_SAFE_INTEGER,
  ];

  test('never end in a 5xx, nor does anything they leave behind stop the service', async () => {
    const app = await build({
      anonymousEnabled: true,
      phoneEnabled: true,
      providers: [
        {
          kind: 'github',
          clientId: 'a',
          clientSecret: 'b',
          siteUrl: 'http://127.0.0.1:9',
          apiUrl: 'http://127.0.0.1:9',
        },
      ],
    });
    const session = (await app.inject(post('/signup', { email: 'fuzz@example.org', password }))).json();
    const bearer = { authorization: `Bearer ${session.access_token}` };
    const operator = { apikey: secretKey, authorization: `Bearer ${secretKey}` };
    const id = session.user.id as string;
    const factor = (
      await app.inject(post('/factors', { factor_type: 'totp', friendly_name: 'one' }, bearer))
    ).json();
    const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
    const pkce = { code_challenge: challenge, code_challenge_method: 's256' };
    const requests: InjectOptions[] = [
      post('/signup', { email: 'new@example.org', password, data: { a: 1 }, ...pkce }),
      post('/token?grant_type=password', { email: 'fuzz@example.org', password }),
      post('/token?grant_type=refresh_token', { refresh_token: session.refresh_token }),
      post('/token?grant_type=pkce', { auth_code: id, code_verifier: challenge }),
      post('/recover?redirect_to=http%3A%2F%2Flocalhost', { email: 'fuzz@example.org', ...pkce }),
      post('/resend', { type: 'email_change', email: 'fuzz@example.org' }),
      post('/resend', { type: 'sms', phone: '4915112345678' }),
      post('/otp', { email: 'fuzz@example.org', create_user: true, data: {} }),
      post('/otp', { phone: '4915112345678' }),
      post('/verify', { type: 'email', email: 'fuzz@example.org', token: '123456' }),
      post('/verify', { type: 'signup', token_hash: 'a'.repeat(56) }),
      { url: '/auth/v1/verify?token=abc&type=signup&redirect_to=http%3A%2F%2Flocalhost' },
      {
        url: `/auth/v1/authorize?provider=github&redirect_to=x&code_challenge=${challenge}&code_challenge_method=s256`,
      },
      { url: '/auth/v1/callback?state=abc&code=def' },
      {
        method: 'POST',
        url: '/auth/v1/callback',
        payload: 'state=a&code=b',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
      { url: '/auth/v1/user', headers: { ...headers, ...bearer } },
      {
        method: 'PUT',
        url: '/auth/v1/user',
        headers: { ...headers, ...bearer },
        payload: { data: { a: 1 }, email: 'fuzz2@example.org', phone: '', nonce: '1' },
      },
      { url: '/auth/v1/reauthenticate', headers: { ...headers, ...bearer } },
      {
        url: '/auth/v1/user/identities/authorize?provider=github&skip_http_redirect=true',
        headers: { ...headers, ...bearer },
      },
      { method: 'DELETE', url: `/auth/v1/user/identities/${id}`, headers: { ...headers, ...bearer } },
      post('/factors', { factor_type: 'totp', friendly_name: 'two', issuer: 'me' }, bearer),
      post(`/factors/${factor.id}/challenge`, { channel: 'sms' }, bearer),
      post(`/factors/${factor.id}/verify`, { challenge_id: id, code: '123456' }, bearer),
      { url: '/auth/v1/admin/users?page=1&per_page=5', headers: { ...headers, ...operator } },
      post(
        '/admin/users',
        {
          email: 'made@example.org',
          password,
          user_metadata: { a: 1 },
          app_metadata: {},
          ban_duration: '1h',
        },
        operator,
      ),
      {
        method: 'PUT',
        url: `/auth/v1/admin/users/${id}`,
        headers: { ...headers, ...operator },
        payload: { user_metadata: { a: null }, email_confirm: true },
      },
      post(
        '/admin/generate_link',
        { type: 'recovery', email: 'fuzz@example.org', new_email: 'b@example.org', data: {} },
        operator,
      ),
      post('/invite', { email: 'invited@example.org', data: { a: 1 } }, operator),
    ];
    const below = generator(20_261_121);
    const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
    const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

    const mutated = (request: InjectOptions): InjectOptions => {
      const next = { ...request, headers: { ...request.headers } as Record<string, string> };
      for (let times = 1 + below(2); times > 0; times -= 1) {
        const payload = next.payload;
        switch (below(6)) {
          case 0:
          case 1:
            if (typeof payload === 'object' && payload !== null) {
              const fields = payload as Record<string, unknown>;
              const name = pick([...Object.keys(fields), 'extra', 'constructor']);
              next.payload = { ...fields, [name]: pick(values) };
            }
            break;
          case 2:
            if (typeof payload === 'object' && payload !== null) {
              const keptEntries = Object.entries(payload).filter(() => below(2) === 0);
              next.payload = Object.fromEntries(keptEntries);
            }
            break;
          case 3: {
            const joint = String(next.url).includes('?') ? '&' : '?';
            const name = pick([
              'type',
              'token',
              'redirect_to',
              'provider',
              'state',
              'page',
              'grant_type',
              'scopes',
            ]);
            next.url = `${String(next.url)}${joint}${name}=${encodeURIComponent(text(pick(values)).toWellFormed()).slice(0, 4_000)}`;
            break;
          }
          case 4:
            if (next.method && next.method !== 'GET') {
              next.payload = pick(['', '{', '[]', 'null', '"x"', '{"__proto__":{}}', '\0', 'a=b']);
              next.headers['content-type'] = pick([
                'application/json',
                'text/plain',
                'application/x-www-form-urlencoded',
                'multipart/form-data',
              ]);
            }
            break;
          default: {
            const name = pick([
              'authorization',
              'redirect_to',
              'referer',
              'cookie',
              'x-supabase-api-version',
              'user-agent',
            ]);
            next.headers[name] = pick([
              '',
              'Bearer ',
              'Bearer a.b.c',
              'javascript:alert(1)',
              'cellfolio-sign-in=x',
              'x'.repeat(5_000),
              publishableKey,
            ]);
          }
        }
      }
      return next;
    };

    const bad: unknown[] = [];
    const statuses = new Map<number, number>();
    for (let at = 0; at < 1_000; at += 1) {
      const request = mutated(requests[at % requests.length] as InjectOptions);
      const { statusCode, body } = await app.inject(request);
      const family = Math.floor(statusCode / 100);
      statuses.set(family, (statuses.get(family) ?? 0) + 1);
      if (statusCode >= 500) bad.push({ request, statusCode, body });
    }
    expect(bad).toEqual([]);
    // Most are refused; the other mutations are harmless.
    expect(statuses.get(4) ?? 0).toBeGreaterThan(500);
    expect(
      (await app.inject({ url: '/auth/v1/user', headers: { ...headers, ...bearer } })).statusCode,
    ).toBeLessThan(500);
    await app.close();
  });
});

test.each([1_000, 5_000, 20_000, 400_000])('data nested %i deep is stored or refused', async (depth) => {
  const app = await build();
  const { access_token } = (
    await app.inject(post('/signup', { email: `deep${depth}@example.org`, password }))
  ).json();
  const answer = await app.inject({
    method: 'PUT',
    url: '/auth/v1/user',
    headers: { ...headers, authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    payload: `{"data":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}`,
  });
  expect(answer.statusCode).toBeLessThan(500);
  // Stored data must be readable, or the account would be lost.
  const read = await app.inject({
    url: '/auth/v1/user',
    headers: { ...headers, authorization: `Bearer ${access_token}` },
  });
  expect(read.statusCode).toBe(200);
  await app.close();
});

test('data never grows beyond what a token in a header can hold', async () => {
  const app = await build();
  const { access_token, refresh_token } = (
    await app.inject(post('/signup', { email: 'growing@example.org', password }))
  ).json();
  const authorization = `Bearer ${access_token}`;
  const statuses = [];
  for (let at = 0; at < 4; at += 1) {
    const answer = await app.inject({
      method: 'PUT',
      url: '/auth/v1/user',
      headers: { ...headers, authorization },
      payload: { data: { [`field ${at}`]: 'x'.repeat(2_500) } },
    });
    statuses.push(answer.statusCode);
  }
  expect(statuses).toEqual([200, 200, 200, 400]);
  const refreshed = (await app.inject(post('/token?grant_type=refresh_token', { refresh_token }))).json();
  expect(refreshed.access_token.length).toBeLessThan(14_000);
  await app.close();
});

describe('requests from one address', () => {
  test.each([
    ['/otp', { email: 'a@example.org' }, { otp: 1 }],
    ['/recover', { email: 'a@example.org' }, { recover: 1 }],
    ['/resend', { type: 'signup', email: 'a@example.org' }, { resend: 1 }],
    ['/verify', { type: 'email', email: 'a@example.org', token: '123456' }, { verify: 1 }],
    ['/signup', {}, { anonymous: 1 }],
    ['/factors/x/verify', {}, { mfaVerify: 1 }],
    ['/factors/x/challenge', {}, { mfaChallenge: 1 }],
  ])('POST %s is limited per address', async (path, payload, limits) => {
    const app = await build({ anonymousEnabled: true, rateLimits: { ...limits, sendIntervalSeconds: 1 } });
    const first = await app.inject(post(path, payload));
    expect(first.statusCode).not.toBe(429);
    const second = await app.inject(post(path, payload));
    expect(second.statusCode).toBe(429);
    expect(second.json().code).toBe('over_request_rate_limit');
    await app.close();
  });
});

test('guessing the second factor of an account is stopped from any address', async () => {
  const app = fastify({ trustProxy: true });
  await app.register(platformPlugin, {
    database,
    siteUrl: url,
    publicUrl: url,
    publishableKey,
    secretKey,
    settings: { trustProxy: true, rateLimits: { mfaFailures: 3 } },
  });
  const { access_token } = (
    await app.inject(post('/signup', { email: 'steps@example.org', password }))
  ).json();
  const at = (address: string) => ({ authorization: `Bearer ${access_token}`, 'x-forwarded-for': address });
  const { id } = (await app.inject(post('/factors', { factor_type: 'totp' }, at('192.0.2.1')))).json();
  const statuses = [];
  for (let guess = 0; guess < 5; guess += 1) {
    const from = at(`192.0.2.${guess}`);
    const challenge = (await app.inject(post(`/factors/${id}/challenge`, {}, from))).json();
    const payload = { challenge_id: challenge.id, code: `00000${guess}` };
    statuses.push((await app.inject(post(`/factors/${id}/verify`, payload, from))).statusCode);
  }
  expect(statuses).toEqual([422, 422, 422, 429, 429]);
  // A challenge is valid only for the client address that requested it.
  const session = (await app.inject(post('/signup', { email: 'else@example.org', password }))).json();
  const own = { authorization: `Bearer ${session.access_token}` };
  const factor = (await app.inject(post('/factors', { factor_type: 'totp' }, own))).json();
  const challenge = (await app.inject(post(`/factors/${factor.id}/challenge`, {}, own))).json();
  const elsewhere = { ...own, 'x-forwarded-for': '198.51.100.7' };
  const payload = { challenge_id: challenge.id, code: '123456' };
  expect((await app.inject(post(`/factors/${factor.id}/verify`, payload, elsewhere))).json().code).toBe(
    'mfa_ip_address_mismatch',
  );
  await app.close();
});
