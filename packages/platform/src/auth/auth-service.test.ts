import type { FastifyInstance, InjectOptions } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { headers, password, publishableKey, testPlatforms } from '../test-platforms.ts';

const { build, newEmail, signUp, database } = testPlatforms();

describe('the auth service', () => {
  let app: FastifyInstance;
  beforeAll(async () => {
    app = await build();
  });

  interface Case {
    name: string;
    request: InjectOptions;
    status: number;
    code: string;
  }
  const json = { ...headers, 'content-type': 'application/json' };
  const post = (path: string, payload: InjectOptions['payload']): InjectOptions => ({
    method: 'POST',
    url: `/auth/v1${path}`,
    headers: json,
    ...(payload !== undefined && { payload }),
  });
  const refusals: Case[] = [
    {
      name: 'the user without a bearer',
      request: { url: '/auth/v1/user', headers },
      status: 401,
      code: 'no_authorization',
    },
    {
      name: 'a bearer of another scheme',
      request: { url: '/auth/v1/user', headers: { ...headers, authorization: 'Basic YTpi' } },
      status: 401,
      code: 'no_authorization',
    },
    {
      name: 'the key as bearer',
      request: { url: '/auth/v1/user', headers: { ...headers, authorization: `Bearer ${publishableKey}` } },
      status: 403,
      code: 'bad_jwt',
    },
    {
      name: 'signing out without a bearer',
      request: post('/logout', undefined),
      status: 401,
      code: 'no_authorization',
    },
    { name: 'broken JSON', request: post('/signup', '{"email":'), status: 400, code: 'bad_json' },
    {
      name: 'JSON that reaches for the prototype',
      request: post('/signup', '{"__proto__":{"a":1}}'),
      status: 400,
      code: 'bad_json',
    },
    {
      name: 'a body that is not JSON',
      request: {
        ...post('/signup', 'email=a'),
        headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      },
      status: 400,
      code: 'bad_json',
    },
    {
      name: 'a body over 1 MB',
      request: post('/signup', { email: 'a@b.org', data: { a: 'x'.repeat(1_100_000) } }),
      status: 413,
      code: 'validation_failed',
    },
    { name: 'a list for a body', request: post('/signup', []), status: 400, code: 'validation_failed' },
    {
      name: 'a number for an address',
      request: post('/signup', { email: 4, password }),
      status: 400,
      code: 'validation_failed',
    },
    {
      name: 'a text for the data',
      request: post('/signup', { email: 'a@b.org', password, data: 'x' }),
      status: 400,
      code: 'validation_failed',
    },
    {
      name: 'signing up anonymously',
      request: post('/signup', {}),
      status: 422,
      code: 'anonymous_provider_disabled',
    },
    {
      name: 'signing up with nothing at all',
      request: post('/signup', undefined),
      status: 422,
      code: 'anonymous_provider_disabled',
    },
    {
      name: 'signing up by phone',
      request: post('/signup', { phone: '+441234', password }),
      status: 422,
      code: 'phone_provider_disabled',
    },
    {
      name: 'signing up by both',
      request: post('/signup', { phone: '+441234', email: 'a@b.org', password }),
      status: 400,
      code: 'validation_failed',
    },
    {
      name: 'a NUL in the address',
      request: post('/signup', { email: 'a\0@b.org', password }),
      status: 400,
      code: 'validation_failed',
    },
    {
      name: 'a NUL in the data',
      request: post('/signup', { email: 'nul@b.org', password, data: { a: '\0' } }),
      status: 400,
      code: 'validation_failed',
    },
    {
      name: 'signing in without an address',
      request: post('/token?grant_type=password', { password }),
      status: 400,
      code: 'validation_failed',
    },
    {
      name: 'signing in by phone',
      request: post('/token?grant_type=password', { phone: '+44', password }),
      status: 422,
      code: 'phone_provider_disabled',
    },
    {
      name: 'signing in with a NUL',
      request: post('/token?grant_type=password', { email: 'a\0', password }),
      status: 400,
      code: 'validation_failed',
    },
    {
      name: 'another grant',
      request: post('/token?grant_type=magic', {}),
      status: 400,
      code: 'invalid_credentials',
    },
    { name: 'no grant', request: post('/token', {}), status: 400, code: 'invalid_credentials' },
    {
      name: 'two grants',
      request: post('/token?grant_type=password&grant_type=pkce', {}),
      status: 400,
      code: 'validation_failed',
    },
    {
      name: 'a code grant',
      request: post('/token?grant_type=pkce', {}),
      status: 400,
      code: 'validation_failed',
    },
    {
      name: 'refreshing with nothing',
      request: post('/token?grant_type=refresh_token', undefined),
      status: 400,
      code: 'validation_failed',
    },
    {
      name: 'password recovery where no mail is set up',
      request: post('/recover', { email: 'a@b.org' }),
      status: 404,
      code: 'feature_disabled',
    },
    {
      name: 'recovery codes',
      request: { url: '/auth/v1/factors/recovery-codes', headers },
      status: 404,
      code: 'feature_disabled',
    },
    {
      name: 'removing a factor with an empty JSON body and no bearer',
      request: { method: 'DELETE', url: '/auth/v1/factors/x', headers: json },
      status: 401,
      code: 'no_authorization',
    },
    ...[
      '/sso/saml/metadata',
      '/admin/sso/providers',
      '/oauth/authorizations/x',
      '/user/oauth/grants',
      '/admin/oauth/clients',
      '/scim/v2/Users',
    ].map((path) => ({
      name: `what is not offered: ${path}`,
      request: { url: `/auth/v1${path}`, headers },
      status: 404,
      code: 'feature_disabled',
    })),
    {
      name: 'an unknown path',
      request: { url: '/auth/v1/nowhere?token=secret', headers },
      status: 404,
      code: 'not_found',
    },
  ];
  test.each(refusals)('refuses $name with $status $code', async ({ request, status, code }) => {
    const answer = await app.inject(request);
    expect(answer.json()).toMatchObject({ code, error_code: code, message: expect.any(String) });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['x-sb-error-code']).toBe(code);
    expect(answer.headers['x-supabase-api-version']).toBe('2024-01-01');
    expect(answer.body).not.toContain('secret');
  });

  test.each([
    ['2024-01-01', true],
    ['2025-06-30', true],
    ['2023-12-31', false],
    ['yesterday', false],
    [undefined, false],
  ])('puts errors for API version %s in the envelope of its time', async (version, current) => {
    const answer = await app.inject({
      url: '/auth/v1/user',
      headers: {
        apikey: publishableKey,
        ...(version !== undefined && { 'x-supabase-api-version': version }),
      },
    });
    const message = 'This endpoint requires a valid Bearer token';
    expect(answer.json()).toMatchObject(
      current
        ? { code: 'no_authorization', message }
        : { code: 401, error_code: 'no_authorization', msg: message },
    );
    // A client reads the error code from `code` only if this header is set.
    expect(answer.headers['x-supabase-api-version']).toBe(current ? '2024-01-01' : undefined);
    expect(answer.headers['x-sb-error-code']).toBe('no_authorization');
  });

  test('publishes the public keys only, for ten minutes, to anybody', async () => {
    const answer = await app.inject({ url: '/auth/v1/.well-known/jwks.json' });
    expect(answer.headers['cache-control']).toBe('public, max-age=600');
    for (const key of answer.json().keys) {
      expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'key_ops', 'kid', 'kty', 'use', 'x', 'y']);
      expect(key).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', key_ops: ['verify'] });
    }
  });

  test('lists the sign-in methods', async () => {
    const answer = await app.inject({ url: '/auth/v1/settings', headers });
    expect(answer.json()).toMatchObject({
      external: { email: true, phone: false, anonymous_users: false },
      disable_signup: false,
      mailer_autoconfirm: true,
    });
  });

  test('never lets a session be cached', async () => {
    const email = newEmail();
    const answer = await app.inject(post('/signup', { email, password }));
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test('sessions survive a restart and are valid in other processes', async () => {
    const { access_token, refresh_token } = await signUp(app);
    const another = await build();
    const authorization = `Bearer ${access_token}`;
    expect(
      (await another.inject({ url: '/auth/v1/user', headers: { ...headers, authorization } })).statusCode,
    ).toBe(200);
    expect(
      (await another.inject(post('/token?grant_type=refresh_token', { refresh_token }))).statusCode,
    ).toBe(200);
  });

  test('signs out with an empty JSON body, as clients send it, and knows three scopes', async () => {
    const { access_token } = await signUp(app);
    const authorization = `Bearer ${access_token}`;
    const wrong = await app.inject({
      method: 'POST',
      url: '/auth/v1/logout?scope=all',
      headers: { ...json, authorization },
    });
    expect(wrong.json()).toMatchObject({ code: 'validation_failed' });
    const right = await app.inject({
      method: 'POST',
      url: '/auth/v1/logout',
      headers: { ...json, authorization },
    });
    expect([right.statusCode, right.body]).toEqual([204, '']);
    const after = await app.inject({ url: '/auth/v1/user', headers: { ...headers, authorization } });
    expect([after.statusCode, after.json().code]).toEqual([403, 'session_not_found']);
  });

  test('users cannot make themselves administrators', async () => {
    const { access_token } = await signUp(app);
    const answer = await app.inject({
      method: 'PUT',
      url: '/auth/v1/user',
      headers: { ...headers, authorization: `Bearer ${access_token}` },
      payload: { app_metadata: { role: 'admin' } },
    });
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'not_admin']);
    const data = { sub: 'someone else', email: 'root@example.org', email_verified: true, name: 'Eve' };
    const email = newEmail();
    const session = (await app.inject(post('/signup', { email, password, data }))).json();
    expect(session.user.user_metadata).toMatchObject({ sub: session.user.id, email, name: 'Eve' });
  });

  test('distinguishes deleted and suspended accounts from signed-out ones', async () => {
    const { access_token, refresh_token, email } = await signUp(app);
    const request = {
      url: '/auth/v1/user',
      headers: { ...headers, authorization: `Bearer ${access_token}` },
    };
    await database().pool.query(
      `update auth.users set banned_until = now() + interval '1 day' where email = $1`,
      [email],
    );
    expect((await app.inject(request)).json().code).toBe('user_banned');
    expect((await app.inject(post('/token?grant_type=password', { email, password }))).json().code).toBe(
      'user_banned',
    );
    expect((await app.inject(post('/token?grant_type=refresh_token', { refresh_token }))).json().code).toBe(
      'user_banned',
    );
    await database().pool.query('delete from auth.users where email = $1', [email]);
    expect((await app.inject(request)).json().code).toBe('user_not_found');
  });

  test('answers an outage with a 5xx, which clients retry, without details', async () => {
    const broken: Database = {
      ...database(),
      pool: new Proxy(database().pool, {
        get: (pool, name) =>
          name === 'query'
            ? async (text: string, values: unknown[]) => {
                if (text.includes('auth.users')) throw new Error('connection to 10.1.2.3 lost');
                return pool.query(text, values);
              }
            : Reflect.get(pool, name, pool),
      }),
    };
    const outage = await build({ database: broken });
    const answer = await outage.inject(post('/token?grant_type=password', { email: newEmail(), password }));
    expect([answer.statusCode, answer.json().code]).toEqual([500, 'unexpected_failure']);
    expect(answer.body).not.toContain('10.1.2.3');
  });
});
