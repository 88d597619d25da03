import { randomBytes, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTokenVerifier, issueAccessToken } from './tokens/access-token.ts';
import { SigningKeys } from './tokens/signing-keys.ts';
import { countingQueries } from '../counting-queries.ts';
import type { Database } from '../database/database.ts';
import { openTestDatabase } from '../database/test-databases.ts';
import { keyTokenReader } from '../gateway/key-tokens.ts';
import { createCallerResolver } from './resolve-caller.ts';

const issuer = 'https://cells.example.org/auth/v1';
const publishableKey = 'sb_publishable_test';
const secretKey = 'sb_secret_test';
const userId = randomUUID();

let database: Database;
let counted: ReturnType<typeof countingQueries>;
let callers: ReturnType<typeof createCallerResolver>;
let keys: SigningKeys;
beforeAll(async () => {
  database = await openTestDatabase();
  counted = countingQueries(database);
  keys = new SigningKeys(counted.database);
  const verifier = createTokenVerifier(counted.database, { issuer, keys });
  callers = createCallerResolver({ verifier, publishableKey, secretKey });
});
afterAll(() => database?.close());

async function token(lifetimeSeconds = 3600): Promise<string> {
  const subject = {
    userId,
    email: 'ada@example.org',
    phone: '',
    appMetadata: {},
    userMetadata: {},
    isAnonymous: false,
    sessionId: randomUUID(),
    aal: 'aal1' as const,
    amr: [],
  };
  return (await issueAccessToken(keys, subject, { issuer, lifetimeSeconds, now: Date.now })).token;
}

test('a key alone, or repeated as bearer, gives its role', async () => {
  expect(await callers.resolveCaller({ apikey: publishableKey })).toEqual({ role: 'anon' });
  expect(
    await callers.resolveCaller({ apikey: publishableKey, authorization: `Bearer ${publishableKey}` }),
  ).toEqual({ role: 'anon' });
  expect(await callers.resolveCaller({ apikey: secretKey })).toEqual({ role: 'service_role' });
});

test('a token of ours gives its user, whichever key is beside it', async () => {
  for (const apikey of [publishableKey, secretKey]) {
    expect(await callers.resolveCaller({ apikey, authorization: `bearer ${await token()}` })).toMatchObject({
      role: 'authenticated',
      userId,
      claims: { sub: userId, email: 'ada@example.org' },
    });
  }
});

test.each([
  ['another text', 'Bearer something'],
  ['the other key', `Bearer ${secretKey}`],
  ['nothing', 'Bearer '],
  ['another scheme', 'Basic YTpi'],
])('a bearer that is %s is refused, never taken for a visitor', async (_case, authorization) => {
  await expect(callers.resolveCaller({ apikey: publishableKey, authorization })).rejects.toMatchObject({
    name: 'AuthError',
    status: 403,
    code: 'bad_jwt',
  });
});

test('an expired token is refused', async () => {
  const authorization = `Bearer ${await token(-1)}`;
  await expect(callers.resolveCaller({ apikey: publishableKey, authorization })).rejects.toMatchObject({
    code: 'bad_jwt',
    message: expect.stringContaining('expired'),
  });
});

test.each([undefined, '', 'sb_publishable_other', 'a.b.c'])('the key %j is refused', async (apikey) => {
  await expect(callers.resolveCaller({ apikey })).rejects.toMatchObject({
    name: 'GatewayError',
    status: 401,
  });
});

test('a secret key is refused from a browser', async () => {
  const userAgent = 'Mozilla/5.0 (Macintosh) Safari/605.1.15';
  await expect(callers.resolveCaller({ apikey: secretKey, userAgent })).rejects.toMatchObject({
    status: 401,
  });
});

test('a key in the older form of a token signed by us gives the role it names', async () => {
  const { kid, key } = await keys.current();
  const sign = (claims: object) =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'ES256', kid })
      .setIssuer(issuer)
      .setExpirationTime('1h')
      .sign(key);
  expect(await callers.resolveCaller({ apikey: await sign({ role: 'anon' }) })).toEqual({ role: 'anon' });
  expect(await callers.resolveCaller({ apikey: await sign({ role: 'service_role' }) })).toEqual({
    role: 'service_role',
  });
  await expect(callers.resolveCaller({ apikey: await sign({ role: 'postgres' }) })).rejects.toMatchObject({
    status: 401,
  });
  // A user's own token is not a key.
  await expect(callers.resolveCaller({ apikey: await token() })).rejects.toMatchObject({ status: 401 });
});

test('with the signing keys cached, a hundred calls send no query to the database', async () => {
  const authorization = `Bearer ${await token()}`;
  await callers.resolveCaller({ apikey: publishableKey, authorization });
  const before = counted.queries();
  for (let time = 0; time < 100; time += 1)
    await callers.resolveCaller({ apikey: publishableKey, authorization });
  expect(counted.queries()).toBe(before);
});

describe('keys in token form that others signed', () => {
  const shared = randomBytes(40);
  const inAYear = Math.floor(Date.now() / 1000) + 31_536_000;
  const signed = (
    role: string,
    { secret = shared, exp = inAYear }: { secret?: Uint8Array; exp?: number } = {},
  ) =>
    new SignJWT({ role, iss: 'elsewhere', exp })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .sign(secret);
  let strict: ReturnType<typeof createCallerResolver>;
  beforeAll(async () => {
    const readKeyToken = await keyTokenReader([{ kty: 'oct', k: shared.toString('base64url') }], Date.now);
    const verifier = createTokenVerifier(counted.database, { issuer, keys });
    strict = createCallerResolver({ verifier, publishableKey, secretKey, readKeyToken });
  });

  test('are keys like ours, alone, repeated, and as the bearer beside another key', async () => {
    const anon = await signed('anon');
    const service = await signed('service_role');
    expect(await strict.resolveCaller({ apikey: anon })).toEqual({ role: 'anon' });
    expect(await strict.resolveCaller({ apikey: service, authorization: `Bearer ${service}` })).toEqual({
      role: 'service_role',
    });
    expect(await strict.resolveCaller({ apikey: anon, authorization: `Bearer ${service}` })).toEqual({
      role: 'service_role',
    });
  });

  test('are refused when expired, signed with another secret, of another role, or from a browser', async () => {
    const hour = 3600;
    const bad = [
      await signed('service_role', { exp: Math.floor(Date.now() / 1000) - hour }),
      await signed('service_role', { secret: randomBytes(40) }),
      await signed('authenticated'),
      await signed('postgres'),
    ];
    for (const apikey of bad) {
      await expect(strict.resolveCaller({ apikey })).rejects.toMatchObject({ status: 401 });
      await expect(
        strict.resolveCaller({ apikey: publishableKey, authorization: `Bearer ${apikey}` }),
      ).rejects.toMatchObject({ code: 'bad_jwt' });
    }
    const userAgent = 'Mozilla/5.0';
    const service = await signed('service_role');
    await expect(
      strict.resolveCaller({ apikey: publishableKey, authorization: `Bearer ${service}`, userAgent }),
    ).rejects.toMatchObject({ status: 401 });
  });

  test('are refused without configured signers', async () => {
    await expect(callers.resolveCaller({ apikey: await signed('anon') })).rejects.toMatchObject({
      status: 401,
    });
  });
});
