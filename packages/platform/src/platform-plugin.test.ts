import fastify, { type FastifyInstance, type InjectOptions } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createUser } from './accounts/create-user.ts';
import type { Mail } from './auth/mailer.ts';
import type { Database } from './database/database.ts';
import { openTestDatabase } from './open-test-database.ts';
import { type PlatformOptions, platformPlugin } from './platform-plugin.ts';

const publishableKey = 'sb_publishable_test';
const secretKey = 'sb_secret_test';
const url = 'http://127.0.0.1:3000';
const password = 'correct horse';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.close());

let people = 0;
const newEmail = () => `p${(people += 1)}@example.org`;

async function build(more: Partial<PlatformOptions> = {}): Promise<FastifyInstance> {
  const app = fastify();
  await app.register(platformPlugin, {
    database,
    siteUrl: url,
    publicUrl: url,
    publishableKey,
    secretKey,
    ...more,
    settings: { rateLimits: false, ...more.settings },
  });
  return app;
}

const headers = { apikey: publishableKey, 'x-supabase-api-version': '2024-01-01' };

async function signUp(
  app: FastifyInstance,
): Promise<{ access_token: string; refresh_token: string; email: string }> {
  const email = newEmail();
  const answer = await app.inject({
    method: 'POST',
    url: '/auth/v1/signup',
    headers,
    payload: { email, password },
  });
  return { ...answer.json(), email };
}

describe('the gateway', () => {
  let app: FastifyInstance;
  beforeAll(async () => {
    app = await build();
  });

  const browser = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0';
  test.each<[string, Record<string, string>, number]>([
    ['no key', {}, 401],
    ['an empty key', { apikey: '' }, 401],
    ['an unknown key', { apikey: 'sb_publishable_other' }, 401],
    ['the publishable key', { apikey: publishableKey }, 200],
    ['the publishable key in a browser', { apikey: publishableKey, 'user-agent': browser }, 200],
    ['the secret key', { apikey: secretKey, 'user-agent': 'node' }, 200],
    ['the secret key in a browser', { apikey: secretKey, 'user-agent': browser }, 401],
    ['only a bearer', { authorization: `Bearer ${publishableKey}` }, 401],
  ])('with %s answers %o with %i', async (_case, given, status) => {
    const answer = await app.inject({ url: '/auth/v1/health', headers: given });
    expect(answer.statusCode).toBe(status);
    expect(Object.keys(answer.json())).toEqual(
      status === 401 ? ['message', 'hint'] : ['version', 'name', 'description'],
    );
  });

  test('lets a page on another origin call, and read error codes', async () => {
    const asked = await app.inject({
      method: 'OPTIONS',
      url: '/auth/v1/token?grant_type=password',
      headers: { origin: 'https://elsewhere.org', 'access-control-request-method': 'POST' },
    });
    expect(asked.statusCode).toBe(204);
    expect(asked.headers['access-control-allow-origin']).toBe('*');
    expect(asked.headers['access-control-allow-headers']).toMatch(
      /authorization, apikey, content-type, x-client-info/,
    );
    const refused = await app.inject({
      url: '/auth/v1/user',
      headers: { ...headers, origin: 'https://elsewhere.org' },
    });
    expect(refused.statusCode).toBe(401);
    expect(refused.headers['access-control-allow-origin']).toBe('*');
    expect(refused.headers['access-control-expose-headers']).toMatch(/x-supabase-api-version/);
    // Cookies would make every site a possible caller.
    expect(refused.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  test.each(['/storage/v1/bucket', '/functions/v1/check-subscription'])(
    '%s says that it is not there yet, whatever the method and body',
    async (path) => {
      for (const method of ['GET', 'POST', 'DELETE'] as const) {
        const answer = await app.inject({
          method,
          url: path,
          headers: { ...headers, ...(method === 'POST' && { 'content-type': 'text/x-anything' }) },
          ...(method === 'POST' && { payload: 'not json' }),
        });
        expect(answer.statusCode).toBe(404);
        expect(answer.json()).toMatchObject({ code: 'feature_disabled' });
      }
    },
  );
});

describe('the auth service', () => {
  let app: FastifyInstance;
  beforeAll(async () => {
    app = await build();
  });

  interface Case {
    readonly name: string;
    readonly request: InjectOptions;
    readonly status: number;
    readonly code: string;
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
    // A client reads `code` for the error code exactly when this header is there.
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

  test('says what sign-in pages may offer', async () => {
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

  test('sessions outlive a restart, and another process takes them', async () => {
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

  test('lets nobody make themselves an administrator', async () => {
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
    const made = (await app.inject(post('/signup', { email, password, data }))).json();
    expect(made.user.user_metadata).toMatchObject({ sub: made.user.id, email, name: 'Eve' });
  });

  test('tells deleted and suspended accounts apart from signed-out ones', async () => {
    const { access_token, refresh_token, email } = await signUp(app);
    const asked = { url: '/auth/v1/user', headers: { ...headers, authorization: `Bearer ${access_token}` } };
    await database.pool.query(
      `update auth.users set banned_until = now() + interval '1 day' where email = $1`,
      [email],
    );
    expect((await app.inject(asked)).json().code).toBe('user_banned');
    expect((await app.inject(post('/token?grant_type=password', { email, password }))).json().code).toBe(
      'user_banned',
    );
    expect((await app.inject(post('/token?grant_type=refresh_token', { refresh_token }))).json().code).toBe(
      'user_banned',
    );
    await database.pool.query('delete from auth.users where email = $1', [email]);
    expect((await app.inject(asked)).json().code).toBe('user_not_found');
  });

  test('answers an outage with a 5xx, which clients wait out, and without its details', async () => {
    const broken: Database = {
      ...database,
      pool: new Proxy(database.pool, {
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

describe('settings', () => {
  const signUpAnswer = async (app: FastifyInstance, more: InjectOptions = {}) =>
    app.inject({
      method: 'POST',
      url: '/auth/v1/signup',
      headers,
      payload: { email: newEmail(), password },
      ...more,
    });

  test('closed sign-up refuses new accounts and lets old ones in', async () => {
    const { email } = await signUp(await build());
    const app = await build({ settings: { signUpEnabled: false } });
    expect((await signUpAnswer(app)).json()).toMatchObject({ code: 'signup_disabled' });
    const answer = await app.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=password',
      headers,
      payload: { email, password },
    });
    expect(answer.statusCode).toBe(200);
    expect((await app.inject({ url: '/auth/v1/settings', headers })).json().disable_signup).toBe(true);
  });

  test('a required current password is asked for and checked', async () => {
    const app = await build({ settings: { requireCurrentPassword: true } });
    const { access_token } = await signUp(app);
    const change = (payload: object) =>
      app.inject({
        method: 'PUT',
        url: '/auth/v1/user',
        headers: { ...headers, authorization: `Bearer ${access_token}` },
        payload,
      });
    expect((await change({ password: 'another' })).json().code).toBe('current_password_required');
    expect((await change({ password: 'another', current_password: 'no' })).json().code).toBe(
      'current_password_invalid',
    );
    expect((await change({ password: 'another', current_password: password })).statusCode).toBe(200);
  });

  test('past the limit, sign-up answers 429 with the seconds to wait', async () => {
    const app = await build({ settings: { rateLimits: { signUp: 2 } } });
    await signUpAnswer(app);
    await signUpAnswer(app);
    const answer = await signUpAnswer(app);
    expect([answer.statusCode, answer.json().code]).toEqual([429, 'over_request_rate_limit']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('guessing at one account is stopped, also with the right password, and others sign in meanwhile', async () => {
    const app = await build({ settings: { rateLimits: { passwordFailures: 3 } } });
    const [ada, grace] = [await signUp(app), await signUp(app)];
    const signIn = async (email: string, given: string) =>
      (
        await app.inject({
          method: 'POST',
          url: '/auth/v1/token?grant_type=password',
          headers,
          payload: { email, password: given },
        })
      ).statusCode;
    const guesses = [];
    for (const guess of ['one', 'two', 'three', 'four', password])
      guesses.push(await signIn(ada.email, guess));
    expect(guesses).toEqual([400, 400, 400, 429, 429]);
    expect(await signIn(grace.email, password)).toBe(200);
    // An address without an account is limited alike, or the limit would tell who has one.
    const stranger = newEmail();
    const probes = [];
    for (let time = 0; time < 4; time += 1) probes.push(await signIn(stranger, 'guess'));
    expect(probes).toEqual([400, 400, 400, 429]);
  });

  test.each([
    [false, [200, 429]],
    [true, [200, 200]],
  ])('with a trusted proxy %s, two forwarded addresses get %o', async (trustProxy, statuses) => {
    const app = fastify({ trustProxy: true });
    await app.register(platformPlugin, {
      database,
      siteUrl: url,
      publicUrl: url,
      publishableKey,
      secretKey,
      settings: { trustProxy, rateLimits: { signUp: 1 } },
    });
    const answers = [];
    for (const address of ['192.0.2.1', '192.0.2.2']) {
      answers.push(
        (await signUpAnswer(app, { headers: { ...headers, 'x-forwarded-for': address } })).statusCode,
      );
    }
    expect(answers).toEqual(statuses);
  });

  test('an account left unconfirmed is had by its password only, once accounts confirm themselves', async () => {
    const email = newEmail();
    await createUser(database, { email, password, confirmed: false });
    const app = await build();
    const claim = async (given: string) =>
      (await signUpAnswer(app, { payload: { email, password: given } })).json();
    expect(await claim('of a stranger')).toMatchObject({ code: 'user_already_exists' });
    expect(await claim(password)).toMatchObject({ access_token: expect.any(String), user: { email } });
    expect(await claim(password)).toMatchObject({ code: 'user_already_exists' });
  });

  test('phone numbers without a sender stop the start, unless they confirm themselves', async () => {
    await expect(build({ settings: { phoneEnabled: true } })).rejects.toThrow(/without an SmsSender/);
    const app = await build({ settings: { phoneEnabled: true, phoneAutoConfirm: true } });
    const phone = '4915112340001';
    const made = await signUpAnswer(app, { payload: { phone: `+${phone}`, password } });
    expect(made.json()).toMatchObject({
      access_token: expect.any(String),
      user: { phone, phone_confirmed_at: expect.any(String), app_metadata: { provider: 'phone' } },
    });
    const again = await signUpAnswer(app, { payload: { phone, password } });
    expect([again.statusCode, again.json().code]).toEqual([422, 'user_already_exists']);
    const otp = await app.inject({ method: 'POST', url: '/auth/v1/otp', headers, payload: { phone } });
    expect([otp.statusCode, otp.json().code]).toEqual([422, 'phone_provider_disabled']);
    expect((await app.inject({ url: '/auth/v1/settings', headers })).json()).toMatchObject({
      external: { phone: true },
      phone_autoconfirm: true,
    });
  });

  test('with a mailbox to confirm alone, a new address needs the new one only', async () => {
    const mails: Mail[] = [];
    const app = await build({
      mailer: { send: async (mail) => void mails.push(mail) },
      settings: { autoConfirm: false, secureEmailChange: false, requireCurrentPassword: true },
    });
    const { email, ...made } = await signUp(await build());
    const authorization = `Bearer ${made.access_token}`;
    const next = newEmail();
    await app.inject({
      method: 'PUT',
      url: '/auth/v1/user',
      headers: { ...headers, authorization },
      payload: { email: next },
    });
    expect(mails.map(({ to }) => to)).toEqual([next]);
    const token = /code: (\d{6})/.exec(mails[0]?.text ?? '')?.[1];
    const answer = await app.inject({
      method: 'POST',
      url: '/auth/v1/verify',
      headers,
      payload: { type: 'email_change', email: next, token },
    });
    expect(answer.json()).toMatchObject({ user: { email: next } });
    // Who has come by the mailbox may have forgotten the password that is required of others.
    const change = (bearer: string) =>
      app.inject({
        method: 'PUT',
        url: '/auth/v1/user',
        headers: { ...headers, authorization: bearer },
        payload: { password: 'another horse' },
      });
    expect((await change(authorization)).json().code).toBe('current_password_required');
    expect((await change(`Bearer ${answer.json().access_token}`)).statusCode).toBe(200);
    expect(email).not.toBe(next);
  });

  test.each(['/recover', '/otp', '/resend', '/magiclink'])(
    'without a mailer POST %s says so',
    async (path) => {
      const answer = await (
        await build()
      ).inject({
        method: 'POST',
        url: `/auth/v1${path}`,
        headers,
        payload: { email: newEmail(), type: 'signup' },
      });
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'feature_disabled']);
    },
  );

  test('confirmation without a mailer stops the start', async () => {
    await expect(build({ settings: { autoConfirm: false } })).rejects.toThrow(/without a mailer/);
  });
});

describe('confirmation by mail', () => {
  let mails: Mail[];
  let app: FastifyInstance;
  let aheadMs: number;
  beforeEach(async () => {
    mails = [];
    aheadMs = 0;
    app = await build({
      mailer: { send: async (mail) => void mails.push(mail) },
      settings: { autoConfirm: false },
      now: () => Date.now() + aheadMs,
    });
  });

  const ask = async (email: string, redirect = `${url}/dataset-selector`) =>
    (
      await app.inject({
        method: 'POST',
        url: `/auth/v1/signup?redirect_to=${encodeURIComponent(redirect)}`,
        headers,
        payload: { email, password },
      })
    ).json();
  const signIn = (email: string) =>
    app.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=password',
      headers,
      payload: { email, password },
    });
  const linkOf = (mail: Mail | undefined) => /http\S+/.exec(mail?.text ?? '')?.[0] ?? '';
  const open = async (link: string) => {
    const answer = await app.inject({ url: link.slice(url.length) });
    const target = new URL(answer.headers.location ?? '');
    return { status: answer.statusCode, target, fragment: new URLSearchParams(target.hash.slice(1)) };
  };

  test('the account has no session until its link is opened, which works once', async () => {
    const email = newEmail();
    const made = await ask(email);
    expect(made).toMatchObject({ email, id: expect.any(String), confirmation_sent_at: expect.any(String) });
    expect(made).not.toHaveProperty('access_token');
    expect((await signIn(email)).json().code).toBe('email_not_confirmed');
    expect(mails.map(({ to }) => to)).toEqual([email]);

    // A mail scanner's look at the link must not use it up.
    await app.inject({ method: 'HEAD', url: linkOf(mails[0]).slice(url.length) });
    const opened = await open(linkOf(mails[0]));
    expect(opened.status).toBe(303);
    expect(opened.target.pathname).toBe('/dataset-selector');
    expect(opened.fragment.get('type')).toBe('signup');
    const user = await app.inject({
      url: '/auth/v1/user',
      headers: { ...headers, authorization: `Bearer ${opened.fragment.get('access_token')}` },
    });
    expect(user.json()).toMatchObject({ email, email_confirmed_at: expect.any(String) });
    expect((await signIn(email)).statusCode).toBe(200);

    const again = await open(linkOf(mails[0]));
    expect(again.fragment.get('error_code')).toBe('otp_expired');
    expect(again.fragment.has('access_token')).toBe(false);
  });

  test('a link that is too old, invented or leads elsewhere gives no session away', async () => {
    const email = newEmail();
    await ask(email, 'https://evil.example/steal');
    const link = linkOf(mails[0]);
    expect(link).not.toContain('evil');
    const bent = await open(link.replace(/redirect_to=[^&]*/, 'redirect_to=https%3A%2F%2Fevil.example'));
    expect(bent.target.origin).toBe(url);

    const late = newEmail();
    await ask(late);
    aheadMs = 3_601_000;
    expect((await open(linkOf(mails[1]))).fragment.get('error_code')).toBe('otp_expired');
    expect((await open(`${url}/auth/v1/verify?token=abc&type=signup`)).fragment.get('error_code')).toBe(
      'otp_expired',
    );
    expect((await open(`${url}/auth/v1/verify`)).fragment.get('error_code')).toBe('otp_expired');
  });

  test('the database holds no link that works', async () => {
    const email = newEmail();
    await ask(email);
    const token = new URL(linkOf(mails[0])).searchParams.get('token');
    const { rows } = await database.pool.query(
      'select row_to_json(t)::text as row from auth.one_time_tokens t',
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { row } of rows) expect(row).not.toContain(token);
  });

  test('asking for a taken address looks like asking for a new one', async () => {
    const email = newEmail();
    await ask(email);
    await open(linkOf(mails[0]));
    const strangers = await ask(email);
    const fresh = await ask(newEmail());
    expect(strangers).toMatchObject({ email, identities: [{ provider: 'email', email }] });
    expect(strangers.id).not.toBe((await signIn(email)).json().user.id);
    expect(Object.keys(strangers)).toEqual(Object.keys(fresh));
    expect(mails).toHaveLength(2);
  });

  test('asking again mails again after a minute and keeps the first password', async () => {
    const email = newEmail();
    await ask(email);
    const again = () =>
      app.inject({
        method: 'POST',
        url: '/auth/v1/signup',
        headers,
        payload: { email, password: 'of a stranger' },
      });
    await again();
    expect(mails).toHaveLength(1);
    aheadMs = 61_000;
    await again();
    expect(mails).toHaveLength(2);
    expect((await open(linkOf(mails[0]))).fragment.get('error_code')).toBe('otp_expired');
    await open(linkOf(mails[1]));
    expect((await signIn(email)).statusCode).toBe(200);
  });
});
