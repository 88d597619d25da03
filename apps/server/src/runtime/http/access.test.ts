import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { keyScopeNames } from '@cellfolio/contract';
import { fastify } from 'fastify';
import {
  type Access,
  accessPlugin,
  AccessPolicy,
  type Accounts,
  type Credentials,
  cacheAccounts,
} from './access.ts';

const mine = `cfp_${'m'.repeat(43)}`;
const revoked = `cfp_${'r'.repeat(43)}`;

const accounts: Accounts = {
  userOf: async (token) => (token.startsWith('good') ? { userId: token } : undefined),
  userOfKey: async (apiKey) =>
    apiKey === mine ? { userId: 'me', name: 'Notebook', scopes: keyScopeNames } : undefined,
  trialExpired: async (userId) => userId === 'good-but-old',
  isOperator: async (userId) => userId === 'good-operator',
};
const policy = new AccessPolicy(['cf_key'], accounts);

const key = { apiKey: 'cf_key' };
const bearer = (token: string) => ({ ...key, authorization: `Bearer ${token}` });

test.each<[Access, Credentials, string]>([
  ['key', { apiKey: undefined, authorization: undefined }, 'missing_api_key'],
  ['key', { apiKey: 'cf_kez', authorization: undefined }, 'invalid_api_key'],
  ['key', { apiKey: 'cf_key_longer', authorization: undefined }, 'invalid_api_key'],
  ['explorer', { apiKey: undefined, authorization: 'Bearer good' }, 'missing_api_key'],
  ['member', { ...key, authorization: undefined }, 'missing_token'],
  ['member', { ...key, authorization: 'Basic Zm9vOmJhcg==' }, 'missing_token'],
  ['member', bearer('forged'), 'invalid_token'],
  ['explorer', bearer('forged'), 'invalid_token'],
  ['operator', bearer('forged'), 'invalid_token'],
  ['operator', bearer('good'), 'not_an_operator'],
  ['operator', { apiKey: mine, authorization: undefined }, 'not_an_operator'],
  ['explorer', bearer('good-but-old'), 'trial_expired'],
])('a call for %s with %o is refused as %s', async (access, credentials, code) => {
  await expect(policy.admit(access, credentials, 'read')).rejects.toMatchObject({
    code,
    status: code === 'trial_expired' || code === 'not_an_operator' ? 403 : 401,
  });
});

test('a personal key identifies its user, also with the token of another user', async () => {
  for (const authorization of [undefined, 'Bearer good', 'Bearer forged']) {
    expect(await policy.admit('explorer', { apiKey: mine, authorization }, 'read')).toMatchObject({
      userId: 'me',
    });
  }
  await expect(
    policy.admit('explorer', { apiKey: revoked, authorization: 'Bearer good' }, 'read'),
  ).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' });
});

test('after the trial the explorer is closed, not the account', async () => {
  expect(await policy.admit('member', bearer('good-but-old'), 'read')).toEqual({ userId: 'good-but-old' });
  await expect(policy.admit('explorer', bearer('good-but-old'), 'read')).rejects.toMatchObject({
    status: 403,
  });
});

test('each kind of access admits the right users', async () => {
  expect(
    await policy.admit('public', { apiKey: undefined, authorization: undefined }, 'read'),
  ).toBeUndefined();
  expect(await policy.admit('key', { ...key, authorization: undefined }, 'read')).toBeUndefined();
  expect(await policy.admit('explorer', bearer('good'), 'read')).toEqual({ userId: 'good' });
  expect(await policy.admit('operator', bearer('good-operator'), 'read')).toEqual({
    userId: 'good-operator',
  });
});

test('no personal key is admitted to a call that states no scope', async () => {
  const credentials = { apiKey: mine, authorization: undefined };
  await expect(policy.admit('explorer', credentials, undefined)).rejects.toMatchObject({
    status: 403,
    code: 'session_required',
  });
});

test('a route that personal keys may call and that states no scope stops the start of the server', async () => {
  const app = fastify();
  await app.register(accessPlugin, { policy });
  expect(() => app.get('/api/forgotten', async () => ({}))).toThrow(
    'The route GET /api/forgotten states no scope',
  );
});

function visit(ip: string, headers: object = {}, rest: object = {}): FastifyRequest {
  const common = { 'x-api-key': 'cf_key', 'x-demo-dataset': 'demo', ...headers };
  return { ip, params: {}, method: 'GET', ...rest, headers: common } as unknown as FastifyRequest;
}

function policyOfDemo(isSimulated = true): AccessPolicy {
  return new AccessPolicy(['cf_key'], accounts, { demo: { id: 'demo', isOpen: async () => isSimulated } });
}

test.each<[string, FastifyRequest]>([
  ['that names no dataset', visit('192.0.2.1', { 'x-demo-dataset': undefined })],
  ['that names another dataset', visit('192.0.2.1', { 'x-demo-dataset': 'other' })],
  ['about another dataset', visit('192.0.2.1', {}, { params: { datasetFilename: 'other' } })],
  ['with a token', visit('192.0.2.1', { authorization: 'Bearer ended' })],
  ['with a personal key', visit('192.0.2.1', { 'x-api-key': mine })],
  ['with a large body', visit('192.0.2.1', { 'content-length': '5000' }, { method: 'POST' })],
  ['with a body of any length', visit('192.0.2.1', {}, { method: 'POST' })],
])('a call %s does not count as a visitor’s', async (_, request) => {
  expect(await policyOfDemo().visitorOf(request, 'public')).toBeUndefined();
});

test('a demo dataset that is not simulated is closed to visitors, and so is a server without one', async () => {
  expect(await policyOfDemo().visitorOf(visit('192.0.2.1'), 'demo')).toEqual({
    dataset: 'demo',
    isDemo: true,
    network: '192.0.2.1',
  });
  expect(await policyOfDemo(false).visitorOf(visit('192.0.2.1'), 'demo')).toBeUndefined();
  expect(await policy.visitorOf(visit('192.0.2.1'), 'demo')).toBeUndefined();
});

test('the visitors of one network make 600 calls in a minute, and take none from other networks', async () => {
  const demo = policyOfDemo();
  const call = (ip: string) => demo.visitorOf(visit(ip), 'demo');
  for (let n = 0; n < 600; n++) await call(`2001:db8::${n.toString(16)}`);
  await expect(call('2001:db8::ffff')).rejects.toMatchObject({
    whose: 'user',
    message: expect.stringContaining('Wait a minute, or sign in'),
  });
  expect(await call('2001:db8:0:1::1')).toMatchObject({ network: '2001:db8:0:1::/64' });
});

function counting() {
  const queries: string[] = [];
  let time = 0;
  let signedOut = false;
  const accounts = cacheAccounts(
    {
      userOf: async (token) => (queries.push(token), signedOut ? undefined : { userId: 'u' }),
      userOfKey: async () => undefined,
      trialExpired: async (userId) => (queries.push(userId), false),
      isOperator: async () => false,
    },
    () => time,
  );
  return { queries, accounts, wait: (ms: number) => (time += ms), signOut: () => (signedOut = true) };
}

test('a burst of calls reads an account once, and a sign-out takes effect after five seconds', async () => {
  const { queries, accounts, wait, signOut } = counting();
  await Promise.all([accounts.userOf('t'), accounts.userOf('t')]);
  await accounts.trialExpired('u');
  await accounts.trialExpired('u');
  expect(queries).toEqual(['t', 'u']);
  signOut();
  expect(await accounts.userOf('t')).toEqual({ userId: 'u' });
  wait(5000);
  expect(await accounts.userOf('t')).toBeUndefined();
});

test('failures are not cached', async () => {
  let down = true;
  const accounts = cacheAccounts({
    userOf: async () => (down ? Promise.reject(new Error('no database')) : { userId: 'u' }),
    userOfKey: async () => undefined,
    trialExpired: async () => false,
    isOperator: async () => false,
  });
  await expect(accounts.userOf('t')).rejects.toThrow('no database');
  down = false;
  expect(await accounts.userOf('t')).toEqual({ userId: 'u' });
});
