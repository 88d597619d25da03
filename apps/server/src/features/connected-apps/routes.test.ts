import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeAnalysisDataset } from '../../testing/analysis-dataset.ts';
import { ownersPassword, prepareOwners } from '../../testing/own-files.ts';
import { apiClient, startTestServer, type TestServer } from '../../testing/running-server.ts';

const redirectUri = 'http://127.0.0.1:33333/callback';

let server: TestServer;
/** Serves metadata documents of apps by path. */
let documents: Server;
const documentTexts = new Map<string, string>();
let documentsUrl = '';
const tokens = { ada: '', bob: '' };

beforeAll(async () => {
  documents = createServer((request, response) => {
    const text = documentTexts.get(request.url ?? '');
    if (text?.startsWith('location:')) response.writeHead(302, { location: text.slice(9) });
    else if (text === undefined) response.writeHead(404);
    response.end(text);
  }).listen(0, '127.0.0.1');
  await once(documents, 'listening');
  documentsUrl = `http://127.0.0.1:${(documents.address() as AddressInfo).port}`;
  server = await startTestServer(
    { DEMO: 'false', OAUTH_LOOPBACK_CLIENTS: 'true' },
    async ({ dataDir, objectRoot }) => {
      await prepareOwners(dataDir, async ({ addUser }) => {
        await addUser('ada', 'Professional');
        await addUser('bob', 'Standard');
      });
      await writeAnalysisDataset(objectRoot, 'cells.h5ad');
    },
  );
  for (const name of ['ada', 'bob'] as const)
    tokens[name] = await server.signInAs(`${name}@example.org`, ownersPassword);
});
afterAll(async () => {
  await server?.close();
  documents?.close();
});

/** Serves a metadata document; returns its address, which is the client id. */
function appAt(path: string, fields: object = {}): string {
  const client_id = `${documentsUrl}${path}`;
  const document = { client_id, client_name: 'Notebook', redirect_uris: [redirectUri], ...fields };
  documentTexts.set(path, JSON.stringify(document));
  return client_id;
}

const api = (name: keyof typeof tokens) => apiClient(server, tokens[name], 'tab');
const verifier = randomBytes(32).toString('base64url');
const requestOf = (client_id: string, changes: object = {}) => ({
  client_id,
  redirect_uri: redirectUri,
  response_type: 'code',
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
  scope: 'read analyse',
  state: 'its-state',
  resource: `${server.siteUrl}/mcp`,
  ...changes,
});

/** The code that an app gets when ada allows it. */
async function codeFor(clientId: string, scopes = ['read', 'analyse']): Promise<string> {
  const { status, body } = await api('ada').post('/api/connected-apps', { ...requestOf(clientId), scopes });
  expect(status).toBe(200);
  const answer = new URL(body.allowed_address as string);
  expect(Object.fromEntries(answer.searchParams)).toMatchObject({ state: 'its-state', iss: server.siteUrl });
  return answer.searchParams.get('code')!;
}

async function tokenCall(fields: Record<string, string>, path = 'token') {
  const answer = await fetch(`${server.siteUrl}/oauth/${path}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
  });
  expect(answer.headers.get('cache-control')).toBe('no-store');
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
}
const exchange = (clientId: string, code: string, changes: Record<string, string> = {}) =>
  tokenCall({
    grant_type: 'authorization_code',
    code,
    client_id: clientId,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    resource: `${server.siteUrl}/mcp`,
    ...changes,
  });
const renew = (clientId: string, refresh_token: string) =>
  tokenCall({ grant_type: 'refresh_token', client_id: clientId, refresh_token });

/** The status of a call of tools with a token, and its challenge. */
async function toolStatus(token: string, name = 'list_datasets') {
  const answer = await fetch(`${server.siteUrl}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } }),
  });
  await answer.text();
  return { status: answer.status, challenge: answer.headers.get('www-authenticate') };
}

describe('the official client', () => {
  /** Stores what a client stores; the browser of ada is a call that allows the app. */
  class Provider implements OAuthClientProvider {
    redirectUrl = redirectUri;
    clientMetadata = { redirect_uris: [redirectUri], client_name: 'Notebook' };
    saved: OAuthTokens | undefined;
    answer: URLSearchParams | undefined;
    #verifier = '';
    #discovered: OAuthDiscoveryState | undefined;
    readonly #clientId: string;
    readonly #scopes: readonly string[];

    constructor(clientId: string, scopes: readonly string[] = ['read', 'analyse']) {
      this.#clientId = clientId;
      this.#scopes = scopes;
    }
    state = () => 'state-of-the-client';
    clientInformation = () => ({ client_id: this.#clientId });
    tokens = () => this.saved;
    saveTokens = (saved: OAuthTokens) => void (this.saved = saved);
    saveCodeVerifier = (text: string) => void (this.#verifier = text);
    codeVerifier = () => this.#verifier;
    saveDiscoveryState = (state: OAuthDiscoveryState) => void (this.#discovered = state);
    discoveryState = () => this.#discovered;
    async redirectToAuthorization(address: URL): Promise<void> {
      expect(`${address.origin}${address.pathname}`).toBe(`${server.siteUrl}/oauth/authorize`);
      const request = Object.fromEntries(address.searchParams);
      const described = await api('ada').post('/api/app-requests', request);
      expect(described.body).toMatchObject({
        client_name: 'Notebook',
        client_host: new URL(documentsUrl).host,
        redirect_host: '127.0.0.1:33333',
        on_this_device: true,
        scopes: ['read', 'analyse'],
      });
      const allowed = await api('ada').post('/api/connected-apps', { ...request, scopes: this.#scopes });
      const { searchParams } = new URL(allowed.body.allowed_address as string);
      expect(searchParams.get('state')).toBe('state-of-the-client');
      this.answer = searchParams;
    }
  }

  async function connect(provider: Provider) {
    const transport = new StreamableHTTPClientTransport(new URL(`${server.siteUrl}/mcp`), {
      authProvider: provider,
    });
    const client = new Client({ name: 'tests', version: '1' });
    await client.connect(transport);
    return { client, transport };
  }
  const analysis = {
    name: 'analyze_markers',
    arguments: { dataset: { filename: 'cells.h5ad' }, groupby: 'cell_type' },
  };

  test('signs in when a tool needs an account, calls it, and renews its token', async () => {
    const provider = new Provider(appAt('/client.json'));
    const first = await connect(provider);
    // Without an account the tools can be listed, and nothing was asked for.
    expect((await first.client.listTools()).tools).toHaveLength(22);
    expect(provider.answer).toBeUndefined();
    await expect(first.client.callTool(analysis)).rejects.toBeInstanceOf(UnauthorizedError);
    await first.transport.finishAuth(provider.answer!);
    expect(provider.saved).toMatchObject({ token_type: 'Bearer', scope: 'read analyse' });

    const { client } = await connect(provider);
    expect(await client.callTool(analysis)).toMatchObject({
      structuredContent: { table: expect.anything() },
    });
    const { refresh_token: refresh } = provider.saved!;
    // One that has ended looks like one that there never was.
    provider.saved = { ...provider.saved!, access_token: `cfp_${'x'.repeat(43)}` };
    expect(await client.callTool(analysis)).toMatchObject({ structuredContent: expect.anything() });
    expect(provider.saved.refresh_token).not.toBe(refresh);
  });

  test('has the tools that its user allowed, and signs in again for another', async () => {
    const provider = new Provider(appAt('/reader.json'), ['read']);
    const first = await connect(provider);
    const gene = { name: 'summarize_gene', arguments: { gene: 'GENE1' } };
    await expect(first.client.callTool(gene)).rejects.toBeInstanceOf(UnauthorizedError);
    await first.transport.finishAuth(provider.answer!);
    expect(provider.saved!.scope).toBe('read');
    const { client } = await connect(provider);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual([
      'list_datasets',
      'describe_dataset',
      'find_genes',
      'summarize_gene',
      'list_cell_models',
    ]);
    provider.answer = undefined;
    await expect(client.callTool(analysis)).rejects.toBeInstanceOf(UnauthorizedError);
    expect(provider.answer).toBeDefined();
  });
});

describe('the metadata', () => {
  const read = async (path: string) => (await fetch(`${server.siteUrl}/.well-known/${path}`)).json();

  test('names the tools as the resource, and this server as the one that signs in', async () => {
    for (const path of ['oauth-protected-resource', 'oauth-protected-resource/mcp']) {
      expect(await read(path)).toMatchObject({
        resource: `${server.siteUrl}/mcp`,
        authorization_servers: [server.siteUrl],
        scopes_supported: ['read', 'analyse'],
      });
    }
    expect(await read('oauth-authorization-server')).toMatchObject({
      issuer: server.siteUrl,
      authorization_endpoint: `${server.siteUrl}/oauth/authorize`,
      token_endpoint: `${server.siteUrl}/oauth/token`,
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
    expect(await read('oauth-authorization-server')).not.toHaveProperty('registration_endpoint');
  });

  test('is where the challenge of the tools leads', async () => {
    const { status, challenge } = await toolStatus(`cfp_${'x'.repeat(43)}`);
    expect(status).toBe(401);
    expect(challenge).toBe(
      `Bearer error="invalid_token", scope="read analyse", resource_metadata="${server.siteUrl}/.well-known/oauth-protected-resource/mcp"`,
    );
  });
});

describe('a request of an app', () => {
  const wrongRequests: [string, object, string][] = [
    ['implicit grants', { response_type: 'token' }, 'unsupported_response_type'],
    ['no PKCE', { code_challenge: undefined }, 'invalid_request'],
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['another resource', { resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
    ['the API', { resource: `http://127.0.0.1/api` }, 'invalid_target'],
    ['unknown scopes alone', { scope: 'admin export' }, 'invalid_scope'],
  ];
  test.each(wrongRequests)(
    'for %s is refused, with an address that tells the app',
    async (_, changes, error) => {
      const request = requestOf(appAt('/wrong.json'), changes);
      for (const [path, body] of [
        ['/api/app-requests', request],
        ['/api/connected-apps', { ...request, scopes: ['read'] }],
      ] as const) {
        const refused = await api('ada').post(path, body);
        expect([refused.status, refused.body.code]).toEqual([400, 'invalid_app_request']);
        const answer = new URL(refused.body.details.error_address as string);
        expect(answer.href.startsWith(redirectUri)).toBe(true);
        expect(Object.fromEntries(answer.searchParams)).toMatchObject({
          error,
          state: 'its-state',
          iss: server.siteUrl,
        });
      }
    },
  );

  test.each([
    'http://127.0.0.1:33333/elsewhere',
    'http://127.0.0.1:33333/callback?more=1',
    'http://127.0.0.1:33333/callback#part',
    'http://localhost:33333/callback',
    'https://evil.example/callback',
    'javascript:alert(1)',
    '',
  ])('to answer at %s, which its document does not name, gets no answer at all', async (redirect_uri) => {
    const { status, body } = await api('ada').post(
      '/api/app-requests',
      requestOf(appAt('/redirect.json'), { redirect_uri }),
    );
    expect([status, body.code, body.details]).toEqual([400, 'invalid_redirect', undefined]);
  });

  test.each(['http://192.0.2.1/callback', 'myapp://callback', 'javascript:alert(1)'])(
    'to answer at %s is refused, although its document names it',
    async (redirect_uri) => {
      const app = appAt('/odd.json', { redirect_uris: [redirect_uri] });
      const { body } = await api('ada').post('/api/app-requests', requestOf(app, { redirect_uri }));
      expect(body.code).toBe('invalid_redirect');
    },
  );

  test('may come from any port of the device', async () => {
    const redirect_uri = 'http://127.0.0.1:44444/callback';
    const { status } = await api('ada').post(
      '/api/app-requests',
      requestOf(appAt('/port.json'), { redirect_uri }),
    );
    expect(status).toBe(200);
  });

  test('gives the scopes that its user allows of those in the request', async () => {
    const app = appAt('/few.json');
    const wrong = { ...requestOf(app, { scope: 'read openid' }), scopes: ['analyse'] };
    expect((await api('ada').post('/api/connected-apps', wrong)).body.code).toBe('invalid_request');
    const code = await codeFor(app, ['read']);
    expect((await exchange(app, code)).body).toMatchObject({ scope: 'read' });
  });
});

describe('a code', () => {
  test('is exchanged once, and ends its tokens when it comes back', async () => {
    const app = appAt('/once.json');
    const code = await codeFor(app);
    const { status, body } = await exchange(app, code);
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'read analyse' });
    expect((await toolStatus(body['access_token']!)).status).toBe(200);
    expect(await exchange(app, code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await toolStatus(body['access_token']!)).status).toBe(401);
    expect((await renew(app, body['refresh_token']!)).body).toMatchObject({ error: 'invalid_grant' });
  });

  test('is of its app, its address and its verifier alone', async () => {
    const app = appAt('/bound.json');
    const code = await codeFor(app);
    const wrong: Record<string, string>[] = [
      { client_id: appAt('/other.json') },
      { redirect_uri: 'http://127.0.0.1:33334/callback' },
      { code_verifier: randomBytes(32).toString('base64url') },
    ];
    for (const changes of wrong)
      expect((await exchange(app, code, changes)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await exchange(app, code, { resource: 'https://elsewhere.example' })).body).toMatchObject({
      error: 'invalid_target',
    });
    expect((await exchange(app, code, { grant_type: 'password' })).body).toMatchObject({
      error: 'unsupported_grant_type',
    });
    expect((await exchange(app, '')).body).toMatchObject({ error: 'invalid_request' });
    expect((await exchange(app, code)).status).toBe(200);
  });
});

describe('a token', () => {
  test('opens the tools, and no call of the API', async () => {
    const app = appAt('/tools.json');
    const { access_token: token = '' } = (await exchange(app, await codeFor(app))).body;
    expect((await toolStatus(token)).status).toBe(200);
    for (const path of ['/api/scopes', '/api/dataset_metadata', '/api/own-files', '/api/account']) {
      const answer = await fetch(server.siteUrl + path, {
        headers: { 'x-api-key': token, 'x-tool-call': 'x' },
      });
      expect([path, answer.status]).toEqual([path, 401]);
    }
  });

  test('is renewed once: one that comes back later ends the app', async () => {
    const app = appAt('/renew.json');
    const first = (await exchange(app, await codeFor(app))).body;
    const second = (await renew(app, first['refresh_token']!)).body;
    expect((await toolStatus(first['access_token']!)).status).toBe(401);
    expect((await toolStatus(second['access_token']!)).status).toBe(200);
    expect((await renew(appAt('/thief.json'), second['refresh_token']!)).body).toMatchObject({
      error: 'invalid_grant',
    });
    expect((await renew(app, second['access_token']!)).body).toMatchObject({ error: 'invalid_grant' });
  });

  test('is revoked by its app, and with the app by its user', async () => {
    const app = appAt('/revoke.json', { client_name: 'Lab ‮book <b>' });
    const first = (await exchange(app, await codeFor(app))).body;
    await tokenCall({ token: first['refresh_token']!, client_id: app }, 'revoke');
    expect((await toolStatus(first['access_token']!)).status).toBe(401);

    const second = (await exchange(app, await codeFor(app, ['read']))).body;
    const { apps } = (await api('ada').get('/api/connected-apps')).body;
    expect(apps[0]).toMatchObject({
      client_name: 'Lab book <b>',
      client_host: new URL(documentsUrl).host,
      scopes: ['read'],
      connected_at: expect.any(String),
    });
    const path = `/api/connected-apps/${apps[0].id}`;
    expect((await api('bob').get('/api/connected-apps')).body).toEqual({ apps: [] });
    expect((await api('bob').send('DELETE', path)).body.code).toBe('app_not_found');
    expect((await toolStatus(second['access_token']!)).status).toBe(200);
    expect((await api('ada').send('DELETE', path)).body).toEqual({ disconnected: true });
    expect((await toolStatus(second['access_token']!)).status).toBe(401);
  });
});

test('a server that has it switched off has no metadata, no tokens and no challenge', async () => {
  const off = await startTestServer({ DEMO: 'false', OAUTH: 'false' }, async () => undefined);
  for (const path of [
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-authorization-server',
  ]) {
    const answer = await fetch(off.siteUrl + path);
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([404, 'oauth_off']);
  }
  const body = new URLSearchParams({ grant_type: 'refresh_token', client_id: 'x', refresh_token: 'x' });
  expect((await fetch(`${off.siteUrl}/oauth/token`, { method: 'POST', body })).status).toBe(404);
  await off.close();
});
