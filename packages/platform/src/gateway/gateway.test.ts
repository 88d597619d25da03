import type { FastifyInstance } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { headers, publishableKey, secretKey, testPlatforms } from '../test-platforms.ts';

const { build } = testPlatforms();

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
  ])('with %s answers %o with %i', async (_case, requestHeaders, status) => {
    const answer = await app.inject({ url: '/auth/v1/health', headers: requestHeaders });
    expect(answer.statusCode).toBe(status);
    expect(Object.keys(answer.json())).toEqual(
      status === 401 ? ['message', 'hint'] : ['version', 'name', 'description'],
    );
  });

  test('lets a page on another origin call, and read error codes', async () => {
    const preflight = await app.inject({
      method: 'OPTIONS',
      url: '/auth/v1/token?grant_type=password',
      headers: { origin: 'https://elsewhere.org', 'access-control-request-method': 'POST' },
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers['access-control-allow-origin']).toBe('*');
    expect(preflight.headers['access-control-allow-headers']).toMatch(
      /authorization, apikey, content-type, x-client-info/,
    );
    const refused = await app.inject({
      url: '/auth/v1/user',
      headers: { ...headers, origin: 'https://elsewhere.org' },
    });
    expect(refused.statusCode).toBe(401);
    expect(refused.headers['access-control-allow-origin']).toBe('*');
    expect(refused.headers['access-control-expose-headers']).toMatch(/x-supabase-api-version/);
    // With cookies, any site could call.
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
