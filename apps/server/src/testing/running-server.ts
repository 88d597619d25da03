import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeyScope, PublicConfig } from '@cellfolio/contract';
import { copyTestDatabase } from '@cellfolio/platform/testing';
import type { RunningServer } from '../boot/open-process.ts';
import { readSettings, type Settings } from '../boot/settings/read-settings.ts';
import { startServer } from '../boot/start-server.ts';

export interface TestServer extends RunningServer {
  settings: Settings;
  config: PublicConfig;
  signIn(tier: string): Promise<string>;
  signInAs(email: string, password: string): Promise<string>;
  headers(token: string, tab?: string): Record<string, string>;
  /** Makes a personal key of the user of a token; without scopes, it has all. */
  newKey(token: string, scopes?: readonly KeyScope[]): Promise<string>;
}

export function quickSettings(environment: Record<string, string>): Settings {
  return {
    // One thread, as each compiles and warms up; that two share the work is tested with the pool.
    ...readSettings({ PORT: '0', LOG_LEVEL: 'fatal', COMPUTE_THREADS: '1', ...environment }),
    // Half a second of a processor for each thread, which no test is in a hurry for.
    warmFigures: 0,
  };
}

export async function startTestServer(
  environment: Record<string, string>,
  prepare: (settings: Settings) => Promise<unknown>,
  limits: Partial<Settings> = {},
): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'cellfolio-server-'));
  const settings = { ...quickSettings({ DATA_DIR: folder, ...environment }), ...limits };
  if (!settings.databaseUrl) await copyTestDatabase(folder);
  await prepare(settings);
  const server = await startServer(settings);
  const config = (await (await fetch(`${server.siteUrl}/config.json`)).json()) as PublicConfig;
  const signInAs: TestServer['signInAs'] = async (email, password) => {
    const answer = await fetch(`${server.siteUrl}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { apikey: config.publishableKey, 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    const { access_token: token } = (await answer.json()) as { access_token: string };
    return token;
  };
  return {
    ...server,
    settings,
    config,
    signInAs,
    async signIn(tier) {
      const account = server.demoAccounts.find((one) => one.tier === tier);
      return signInAs(account?.email ?? '', account?.password ?? '');
    },
    headers: (token, tab = 'tab-1') => ({
      'x-api-key': config.apiKey,
      authorization: `Bearer ${token}`,
      'x-session-id': tab,
    }),
    async newKey(token, scopes) {
      const answer = await fetch(`${server.siteUrl}/rest/v1/rpc/create_api_key`, {
        method: 'POST',
        headers: {
          apikey: config.publishableKey,
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ key_name: 'test', valid_days: 1, key_scopes: scopes }),
      });
      const [{ key }] = (await answer.json()) as [{ key: string }];
      return key;
    },
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface ApiAnswer {
  status: number;
  headers: Headers;
  // Asserted by the tests.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

/** Calls `/api` as one tab of a signed-in user. JSON responses are parsed, others are bytes. */
export function apiClient(server: Pick<TestServer, 'siteUrl' | 'headers'>, token: string, tab: string) {
  const send = async (
    path: string,
    init: RequestInit,
    headers: Record<string, string>,
  ): Promise<ApiAnswer> => {
    const answer = await fetch(`${server.siteUrl}${path}`, {
      ...init,
      headers: { ...server.headers(token, tab), ...headers },
    });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const json = answer.headers.get('content-type')?.includes('json') ?? false;
    const body: unknown = json ? JSON.parse(new TextDecoder().decode(bytes)) : bytes;
    return { status: answer.status, headers: answer.headers, body };
  };
  return {
    get: (path: string) => send(path, {}, {}),
    /** Sends text or bytes unchanged, anything else as JSON. */
    send: (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      send(
        path,
        {
          method,
          ...(body !== undefined && { body: isPlain(body) ? body : JSON.stringify(body) }),
        },
        { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ),
    post: (path: string, body: unknown, headers: Record<string, string> = {}) =>
      send(
        path,
        { method: 'POST', body: JSON.stringify(body) },
        { 'content-type': 'application/json', ...headers },
      ),
  };
}

function isPlain(body: unknown): body is string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array;
}
