import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keyScopeNames } from '@cellfolio/contract';
import { createUser, migrate, openDatabase, provisionKeys } from '@cellfolio/platform';
import { setPlan } from '../../features/billing/index.ts';
import { authenticatorCode, copyTestDatabase } from '@cellfolio/platform/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { quickSettings } from '../../testing/running-server.ts';
import { writeTinyDataset } from '../../testing/tiny-dataset.ts';
import { matrix } from './matrix.ts';
import { type CallerName, callers, type MatrixEntry } from './matrix-entry.ts';
import type { NeededScope } from '../../runtime/http/access.ts';
import { paths } from '../paths.ts';
import { startServer } from '../start-server.ts';
import type { RunningServer } from '../open-process.ts';

const password = 'correct horse';
const people = { other: null, expired: null, standard: 'Standard', professional: 'Professional' } as const;
type Person = keyof typeof people;

let server: RunningServer;
let dataDir: string;
const routes: string[] = [];
let keys: { publishableKey: string; secretKey: string; apiKey: string };
const tokens = new Map<Person, string>();
let passwordAlone = '';
let owner = '';
/** Keys of the professional user: one of each scope alone, and under `any` one of all. */
const scopeKeys = new Map<NeededScope, string>();

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cellfolio-matrix-'));
  const settings = quickSettings({
    DATA_DIR: dataDir,
    DEMO: 'false',
    DEMO_DATASET: 'tiny.h5ad',
    TRUST_PROXY: 'true',
  });
  await writeTinyDataset(settings.objectRoot, 'tiny.h5ad', { simulated: true });
  await copyTestDatabase(dataDir);
  const database = await openDatabase({ dataDir });
  await migrate(database, paths.migrations);
  for (const [name, tier] of Object.entries(people)) {
    const createdAt = new Date(Date.now() - (name === 'expired' ? 8 : 1) * 24 * 3600 * 1000);
    const email = `${name}@example.org`;
    const passwordCost = { memoryKib: 64, passes: 1 };
    const { id } = await createUser(database, { email, password, confirmed: true, createdAt, passwordCost });
    if (tier) await setPlan(database, email, tier);
    if (name === 'professional') owner = id;
  }
  keys = await provisionKeys(database);
  await database.close();
  server = await startServer(settings, undefined, ({ method, url }) => void routes.push(`${method} ${url}`));
  for (const name of Object.keys(people) as Person[]) tokens.set(name, await passwordToken(name));
  tokens.set('professional', await secondStepToken(tokens.get('professional')!));
  passwordAlone = await passwordToken('professional');
  const mine = { apikey: keys.publishableKey, authorization: `Bearer ${tokens.get('professional')}` };
  for (const scope of [...keyScopeNames, 'any'] as const) {
    const key_scopes = scope === 'any' ? null : [scope];
    const made = await fetch(`${server.siteUrl}/rest/v1/rpc/create_api_key`, {
      method: 'POST',
      headers: { ...mine, 'content-type': 'application/json' },
      body: JSON.stringify({ key_name: scope, key_scopes }),
    });
    const [{ key, scopes }] = (await made.json()) as [{ key: string; scopes: string[] }];
    expect(scopes).toEqual(key_scopes ?? keyScopeNames);
    scopeKeys.set(scope, key);
  }
  const put = await fetch(`${server.siteUrl}/storage/v1/object/user-files/${owner}/1_cells.tsv`, {
    method: 'POST',
    headers: mine,
    body: 'gene\tcell\n',
  });
  expect(put.status).toBe(200);
  for (const subset_name of ['mine', 'doomed']) {
    const row = await fetch(`${server.siteUrl}/rest/v1/subset_metadata`, {
      method: 'POST',
      headers: { ...mine, 'content-type': 'application/json' },
      body: JSON.stringify({ user_id: owner, subset_name }),
    });
    expect(row.status).toBe(201);
  }
});
afterAll(async () => {
  await server?.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function accounts(path: string, body: object, token?: string): Promise<Record<string, string>> {
  const answer = await fetch(`${server.siteUrl}/auth/v1/${path}`, {
    method: 'POST',
    headers: {
      apikey: keys.publishableKey,
      'content-type': 'application/json',
      // Another address than that of the matrix, whose calls have the limits to themselves.
      'x-forwarded-for': '192.0.2.1',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  expect(answer.ok).toBe(true);
  return (await answer.json()) as Record<string, string>;
}

async function passwordToken(name: Person): Promise<string> {
  const email = `${name}@example.org`;
  return (await accounts('token?grant_type=password', { email, password }))['access_token']!;
}

async function secondStepToken(token: string): Promise<string> {
  const factor = await accounts('factors', { factor_type: 'totp' }, token);
  const { secret } = factor['totp'] as unknown as { secret: string };
  const { id } = await accounts(`factors/${factor['id']}/challenge`, {}, token);
  const verification = { challenge_id: id, code: authenticatorCode(secret) };
  return (await accounts(`factors/${factor['id']}/verify`, verification, token))['access_token']!;
}

function headersOf(caller: CallerName): Record<string, string> {
  const keyed = (key: string, bearer?: string) => ({
    apikey: key,
    'x-api-key': key,
    ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
  });
  switch (caller) {
    case 'no key':
      return {};
    case 'wrong key':
      return keyed('sb_publishable_wrong');
    case 'signed out':
      return keyed(keys.publishableKey, keys.publishableKey);
    case 'visitor of the demo':
      // From an address of its own, whose limits no other caller uses up.
      return {
        ...keyed(keys.publishableKey),
        'x-demo-dataset': 'tiny.h5ad',
        'x-forwarded-for': '192.0.2.2',
      };
    case 'service':
      return keyed(keys.secretKey, keys.secretKey);
    case 'other user':
      return keyed(keys.publishableKey, tokens.get('other'));
    case 'expired trial':
      return keyed(keys.publishableKey, tokens.get('expired'));
    case 'password alone of two':
      return keyed(keys.publishableKey, passwordAlone);
    default:
      return keyed(keys.publishableKey, tokens.get(caller));
  }
}

async function ask(
  route: string,
  entry: MatrixEntry,
  caller: CallerName,
): Promise<{ status: number; bodyStatus: string; seen: boolean }> {
  // Only the demo dataset could be open to a visitor, so each call is about it.
  const isVisitor = caller === 'visitor of the demo';
  const { answer, text } = await send(route, entry, headersOf(caller), (path) =>
    isVisitor ? path.replace('none.h5ad', 'tiny.h5ad') : path,
  );
  const bodyStatus = /"statusCode":"(\d+)"/.exec(text)?.[1] ?? String(answer.status);
  return { status: answer.status, bodyStatus, seen: entry.seen !== undefined && text.includes(entry.seen) };
}

async function callOf(route: string, entry: MatrixEntry, own: Record<string, string>) {
  const { answer, text } = await send(route, entry, own);
  const code = /"code":"(\w+)"/.exec(text)?.[1];
  return { status: answer.status, code, challenge: answer.headers.get('www-authenticate') };
}

async function send(
  route: string,
  entry: MatrixEntry,
  own: Record<string, string>,
  called: (path: string) => string = (path) => path,
): Promise<{ answer: Response; text: string }> {
  const [method = '', pattern = ''] = route.split(' ');
  const headers: Record<string, string> = { ...own, ...entry.headers };
  if (entry.objectName !== undefined) {
    const name = btoa(entry.objectName.replace('OWNER', owner));
    headers['upload-metadata'] = `bucketName ${btoa('user-files')},objectName ${name}`;
  }
  let body: string | undefined;
  if (entry.body !== undefined) {
    headers['content-type'] ??= 'application/json';
    body = (typeof entry.body === 'string' ? entry.body : JSON.stringify(entry.body))
      .replaceAll('OWNER', owner)
      .replaceAll('NEW', crypto.randomUUID());
  }
  const path = (entry.path ?? pattern).replaceAll('OWNER', owner);
  const answer = await fetch(server.siteUrl + called(path), {
    method,
    headers,
    redirect: 'manual',
    ...(body !== undefined && { body }),
  });
  return { answer, text: await answer.text() };
}

const isPage = (route: string) =>
  route.startsWith('GET /') &&
  !/^GET \/(api|auth|rest|storage|functions)\//.test(route) &&
  !matrix.has(route);

const calledRoutes = () =>
  [...new Set(routes)].filter((route) => !route.startsWith('OPTIONS ') && !isPage(route));

test('every route is in the matrix, and every entry of the matrix is a route', () => {
  const listed = calledRoutes().filter((route) => !route.startsWith('HEAD ') || matrix.has(route));
  expect(listed.filter((route) => !matrix.has(route))).toEqual([]);
  expect([...matrix.keys()].filter((route) => !listed.includes(route))).toEqual([]);
});

test.each([...matrix])('%s responds to each caller as specified', async (route, entry) => {
  const statuses: number[] = [];
  const bodyStatuses: string[] = [];
  const sawIt: CallerName[] = [];
  for (const caller of callers) {
    const { status, bodyStatus, seen } = await ask(route, entry, caller);
    if (seen) sawIt.push(caller);
    statuses.push(status);
    bodyStatuses.push(bodyStatus);
  }
  const owners: CallerName[] = route.includes('/admin/') ? ['service'] : ['professional', 'service'];
  expect({
    answers: statuses.join(' '),
    bodyStatus: entry.bodyStatus && bodyStatuses.join(' '),
    sawIt,
  }).toEqual({
    answers: entry.answers,
    bodyStatus: entry.bodyStatus,
    sawIt: entry.seen === undefined ? [] : owners,
  });
});

const keyRoutes = [...matrix].filter(([route]) => / \/api\//.test(route));

test('every call that a personal key may make states its scope, and every scope opens a call', () => {
  const stated = new Set(keyRoutes.map(([, { scope }]) => scope));
  expect([...stated].filter((scope) => scope && scope !== 'any').sort()).toEqual([...keyScopeNames].sort());
});

test.each(keyRoutes)(
  '%s answers a personal key of its scope, and refuses all others',
  async (route, entry) => {
    const { scope, answers } = entry;
    const owners = Number(answers.split(' ')[callers.indexOf('professional')]);
    const isPublic = answers.startsWith('200');
    const expectedOf = (held: NeededScope) => {
      if (scope === undefined) return isPublic ? 'ok' : '403 session_required';
      if ([scope, 'any'].includes(held) || scope === 'any')
        return owners < 400 ? 'ok' : `${owners} of its own`;
      return `403 scope_missing Bearer error="insufficient_scope", scope="${scope}"`;
    };
    const refusalsOfKeys = new Set(['scope_missing', 'session_required']);
    for (const [held, key] of scopeKeys) {
      const { status, code = '', challenge } = await callOf(route, entry, { 'x-api-key': key });
      const words = refusalsOfKeys.has(code) ? [code, challenge].filter(Boolean).join(' ') : 'of its own';
      expect([held, status < 400 ? 'ok' : `${status} ${words}`]).toEqual([held, expectedOf(held)]);
    }
  },
);

test('pages are the same for all callers', async () => {
  const pages = [...new Set(routes)].filter((route) => isPage(route) && !route.includes('*'));
  for (const page of pages.slice(0, 5)) {
    const statuses = [];
    for (const caller of callers) statuses.push((await ask(page, { answers: '' }, caller)).status);
    expect([page, new Set(statuses).size]).toEqual([page, 1]);
  }
});

test('HEAD has the status of GET', async () => {
  for (const route of calledRoutes().filter((one) => one.startsWith('HEAD ') && !matrix.has(one))) {
    const entry = matrix.get(route.replace('HEAD ', 'GET '));
    if (!entry || /authorize|callback|\/verify/.test(route)) continue;
    for (const [at, caller] of callers.entries()) {
      const { status } = await ask(route, entry, caller);
      expect(`${route} ${caller} ${status}`).toBe(`${route} ${caller} ${entry.answers.split(' ')[at]}`);
    }
  }
});
