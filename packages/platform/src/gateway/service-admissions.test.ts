import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fastify, { type FastifyInstance, type InjectOptions } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { FileBlobStore } from '@cellfolio/bytes';
import { createUser } from '../auth/create-user.ts';
import type { Database } from '../database/database.ts';
import { grantProfessional, openTestDatabase, passwordCost } from '../database/test-databases.ts';
import { platformPlugin } from '../platform-plugin.ts';
import { createServiceAdmissions } from './service-admissions.ts';

const publishableKey = 'sb_publishable_test';
const secretKey = 'sb_secret_test';
const url = 'http://127.0.0.1:3000';
const password = 'correct horse';

let folder: string;
let database: Database;
let gate: ReturnType<typeof gated>;
let app: FastifyInstance;
const turnedAway: string[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellfolio-turns-'));
  database = await openTestDatabase();
  gate = gated(database);
  app = fastify();
  await app.register(platformPlugin, {
    database: gate.database,
    siteUrl: url,
    publicUrl: url,
    publishableKey,
    secretKey,
    settings: { rateLimits: false, passwordCost },
    storage: { blobs: new FileBlobStore(folder), settings: { sweepSeconds: 0 } },
    turns: createServiceAdmissions('embedded', { onTurnedAway: (scope) => turnedAway.push(scope) }),
  });
  await app.ready();
});
afterEach(() => gate.open());
afterAll(async () => {
  await app?.close();
  await database?.close();
  await rm(folder, { recursive: true, force: true });
});

/** A database with replies that can be held back; `callCount` counts the requests since. */
function gated(database: Database) {
  let opened = Promise.withResolvers<void>();
  let isShut = false;
  let callCount = 0;
  const pass = async () => {
    callCount += 1;
    if (isShut) await opened.promise;
  };
  const pool = new Proxy(database.pool, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const bound = value.bind(target) as (...args: unknown[]) => unknown;
      return name === 'query' ? (...args: unknown[]) => pass().then(() => bound(...args)) : bound;
    },
  });
  const gatedDatabase: Database = {
    kind: database.kind,
    pool,
    transaction: (work) => pass().then(() => database.transaction(work)),
    as: (caller, work, options) => pass().then(() => database.as(caller, work, options)),
    giveBack: () => database.giveBack(),
    close: () => database.close(),
  };
  return {
    database: gatedDatabase,
    callCount: () => callCount,
    shut: () => {
      opened = Promise.withResolvers();
      [isShut, callCount] = [true, 0];
    },
    open: () => {
      isShut = false;
      opened.resolve();
    },
  };
}

let people = 0;
async function newUser() {
  const email = `turns${(people += 1)}@example.org`;
  const { id } = await createUser(database, { email, password, confirmed: true, passwordCost });
  await grantProfessional(database, email);
  const answer = await app.inject({
    method: 'POST',
    url: '/auth/v1/token?grant_type=password',
    headers: { apikey: publishableKey },
    payload: { email, password },
  });
  const { access_token: token } = answer.json<{ access_token: string }>();
  return { id, headers: { apikey: publishableKey, authorization: `Bearer ${token}` } };
}
type Headers = Record<string, string>;

const rows = (headers: Headers): InjectOptions => ({
  url: '/rest/v1/subset_metadata?select=subset_name',
  headers,
});
const session = (headers: Headers): InjectOptions => ({
  url: '/auth/v1/user',
  headers: { ...headers, 'x-supabase-api-version': '2024-01-01' },
});
const files = (headers: Headers): InjectOptions => ({
  method: 'POST',
  url: '/storage/v1/object/list/user-files',
  headers,
  payload: { prefix: '' },
});

describe.each([
  {
    service: 'rest',
    call: rows,
    atATime: 2,
    waiting: 100,
    refusal: { status: 429, body: { code: 'over_request_rate_limit', message: expect.any(String) } },
  },
  {
    service: 'auth',
    call: session,
    atATime: 4,
    waiting: 400,
    refusal: { status: 429, body: { code: 'over_request_rate_limit', message: expect.any(String) } },
  },
  {
    service: 'storage',
    call: files,
    atATime: 2,
    waiting: 100,
    refusal: { status: 503, body: { statusCode: '503', code: 'SlowDown', message: expect.any(String) } },
  },
])('calls of the $service service', ({ call, atATime, waiting, refusal }) => {
  test('of one user, few are under way and some wait; more are refused, and others are not held up', async () => {
    const [greedy, other] = [await newUser(), await newUser()];
    await app.inject(call(greedy.headers));
    gate.shut();
    const admitted = Array.from({ length: atATime + waiting }, () => app.inject(call(greedy.headers)));
    await expect.poll(gate.callCount).toBe(atATime);
    const refused = await app.inject(call(greedy.headers));
    expect({ status: refused.statusCode, body: refused.json() }).toMatchObject(refusal);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(turnedAway.at(-1)).toBe('user');
    expect(gate.callCount()).toBe(atATime);
    const others = [app.inject(call(other.headers))];
    await expect.poll(gate.callCount).toBe(atATime + 1);
    gate.open();
    const answers = await Promise.all([...admitted, ...others]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
  });
});

test('callers without an account share the places of their network, and operators never wait', async () => {
  const read = (headers: Headers, remoteAddress: string) =>
    app.inject({ url: '/rest/v1/subset_metadata?select=subset_name', headers, remoteAddress });
  const visitor = { apikey: publishableKey };
  gate.shut();
  const reads = Array.from({ length: 6 }, (_, host) => read(visitor, `2001:db8:0:1::${host}`));
  await expect.poll(gate.callCount).toBe(2);
  reads.push(read(visitor, '2001:db8:0:2::1'));
  await expect.poll(gate.callCount).toBe(3);
  reads.push(...Array.from({ length: 20 }, () => read({ apikey: secretKey }, '2001:db8:0:1::1')));
  await expect.poll(gate.callCount).toBe(23);
  gate.open();
  await Promise.all(reads);
});

test('uploads of a user have places of their own, and their lists and rows do not wait behind them', async () => {
  const { id, headers } = await newUser();
  const upload = (name: number) =>
    app.inject({
      method: 'POST',
      url: `/storage/v1/object/user-files/${id}/${name}.tsv`,
      headers: { ...headers, 'content-type': 'text/plain' },
      payload: 'a\tb\n',
    });
  gate.shut();
  const uploads = Array.from({ length: 20 }, (_, name) => upload(name));
  await expect.poll(gate.callCount).toBe(12);
  const listed = [app.inject(files(headers)), app.inject(rows(headers))];
  await expect.poll(gate.callCount).toBe(14);
  gate.open();
  const answers = await Promise.all([...uploads, ...listed]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
});

test('who goes away waits no longer, and gives the place back when the work that was begun is done', async () => {
  const { headers } = await newUser();
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const controller = new AbortController();
  gate.shut();
  const left = Array.from({ length: 10 }, () =>
    fetch(`${address}/rest/v1/subset_metadata?select=subset_name`, { headers, signal: controller.signal }),
  );
  await expect.poll(gate.callCount).toBe(2);
  controller.abort();
  await Promise.allSettled(left);
  // Until the server has noticed.
  const connections = promisify(app.server.getConnections.bind(app.server));
  await expect.poll(() => connections()).toBe(0);
  const after = Array.from({ length: 5 }, () => app.inject(rows(headers)));
  await app.inject({ url: '/auth/v1/health', headers });
  expect(gate.callCount()).toBe(2);
  gate.open();
  for (const { statusCode } of await Promise.all(after)) expect(statusCode).toBe(200);
  expect(gate.callCount()).toBe(7);
});

test('health checks of the services are answered whatever waits', async () => {
  gate.shut();
  const visitor = { apikey: publishableKey };
  const queued = Array.from({ length: 110 }, () =>
    app.inject({ url: '/rest/v1/subset_metadata?select=subset_name', headers: visitor }),
  );
  await expect.poll(gate.callCount).toBe(2);
  for (const path of ['/auth/v1/health', '/storage/v1/status']) {
    expect((await app.inject({ url: path, headers: visitor })).statusCode).toBe(200);
  }
  gate.open();
  await Promise.all(queued);
});
