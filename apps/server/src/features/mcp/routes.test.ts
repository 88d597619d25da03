import { once } from 'node:events';
import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { AccessPolicy } from '../../runtime/http/access.ts';
import { clientGonePlugin } from '../../runtime/http/connections.ts';
import { handleError } from '../../runtime/http/error-handler.ts';
import { requestValidatorCompiler } from '../../runtime/http/request-checks.ts';
import { type McpServices, mcpRoutes } from './routes.ts';
import type { TaskState } from './tool-tasks.ts';
import { connectTools, revision } from './testing/connect-tools.ts';

const local = { siteKey: 'site', hosts: ['cells.example'], tasksAfterMilliseconds: undefined };
/** A server without accounts, where apps cannot sign in. */
const without = {
  access: { admit: async () => Promise.reject(new Error('No call has credentials')) },
  connectedApps: undefined,
  toolCalls: { add: async () => Promise.reject(new Error('No call has a user')) },
  siteUrl: undefined,
  demoDataset: undefined,
};
let app: FastifyInstance;
let log: string[];
afterEach(() => app.close());

/** A server that has the routes of tools and, in the place of the API, `api`. */
async function serve(
  mcp: McpServices['mcp'],
  api: (app: FastifyInstance) => void = () => {},
  services: Partial<McpServices> = {},
): Promise<string> {
  log = [];
  app = fastify({
    forceCloseConnections: true,
    logger: { stream: { write: (line: string) => void log.push(line) } },
  });
  app.setErrorHandler(handleError);
  app.setValidatorCompiler(requestValidatorCompiler);
  await app.register(clientGonePlugin);
  for (const route of mcpRoutes) await app.register(route, { services: { ...without, ...services, mcp } });
  api(app);
  return app.listen({ port: 0, host: '127.0.0.1' });
}

const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const post = async (body: unknown, headers: Record<string, string> = {}) => {
  const answer = await app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { host: 'localhost:3000', accept: 'application/json, text/event-stream', ...headers },
    payload: body as object,
  });
  return { status: answer.statusCode, text: answer.body, code: /"code":"?([-\w]+)/.exec(answer.body)?.[1] };
};

test('tools that are switched off answer 404', async () => {
  await serve(undefined);
  for (const method of ['POST', 'GET', 'DELETE'] as const) {
    const { statusCode, json } = await app.inject({
      method,
      url: '/mcp',
      ...(method === 'POST' && { payload: listing }),
    });
    expect([statusCode, json().code]).toEqual([404, 'mcp_off']);
  }
});

test('tools answer under the names of this server, and to no page of another site', async () => {
  await serve(local);
  expect((await post(listing)).status).toBe(200);
  expect((await post(listing, { origin: 'http://localhost:5173' })).status).toBe(200);
  expect((await post(listing, { host: 'cells.example', origin: 'https://cells.example' })).status).toBe(200);
  const foreign: Record<string, string>[] = [
    { host: 'elsewhere.example' },
    { origin: 'https://elsewhere.example' },
    { origin: 'null' },
    { origin: 'http://localhost.elsewhere.example' },
  ];
  for (const headers of foreign) {
    expect(await post(listing, headers)).toMatchObject({
      status: 403,
      code: 'foreign_site',
    });
  }
});

test('tools of a server without a name of its own answer under any, and to its own pages alone', async () => {
  await serve({ ...local, hosts: undefined });
  const host = 'any.example:3000';
  expect((await post(listing, { host })).status).toBe(200);
  expect((await post(listing, { host, origin: 'https://any.example' })).status).toBe(200);
  expect(await post(listing, { host, origin: 'https://elsewhere.example' })).toMatchObject({ status: 403 });
});

test('a network that calls too often is refused until a minute has passed, and others are not', async () => {
  await serve(local);
  const from = async (remoteAddress: string) => {
    const headers = { host: 'localhost' };
    return (await app.inject({ method: 'GET', url: '/mcp', headers, remoteAddress })).statusCode;
  };
  const statuses = await Promise.all(Array.from({ length: 601 }, () => from('192.0.2.1')));
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  expect(await from('192.0.2.2')).toBe(405);
});

test('a token of a connected app opens the tools where apps can sign in, and nothing else does', async () => {
  const accounts = {
    userOf: async () => undefined,
    userOfKey: async () => ({
      userId: 'ada',
      name: 'App',
      scopes: ['read'] as const,
      toolsOnly: true as const,
    }),
    trialExpired: async () => false,
    isOperator: async () => false,
  };
  const access = new AccessPolicy(['site'], accounts);
  const authorization = `Bearer cfp_${'a'.repeat(43)}`;
  const call = { ...listing, method: 'tools/call', params: { name: 'draw_figure', arguments: {} } };
  await serve(local, undefined, { access, connectedApps: {} });
  expect((await post(listing, { authorization })).status).toBe(200);
  expect(await post(call, { authorization })).toMatchObject({ status: 403, code: 'scope_missing' });
  // No sign-in gives an app this scope: the tool itself says which key has it.
  const params = { name: 'export_cells', arguments: { dataset: { filename: 'cells.h5ad' } } };
  const refused = await post({ ...call, params }, { authorization });
  expect([refused.status, refused.text.includes('"isError":true')]).toEqual([200, true]);
  await app.close();
  await serve(local, undefined, { access });
  expect(await post(listing, { authorization })).toMatchObject({ status: 401, code: 'invalid_api_key' });
  await expect(
    access.admit('member', { apiKey: 'x', authorization: undefined }, 'any'),
  ).rejects.toMatchObject({ status: 401 });
});

test('batches, sessions and streams without a call are refused', async () => {
  await serve(local);
  expect(await post([listing, listing])).toMatchObject({ status: 400, code: 'invalid_request' });
  for (const method of ['GET', 'DELETE'] as const) {
    const { statusCode } = await app.inject({ method, url: '/mcp', headers: { host: 'localhost' } });
    expect(statusCode).toBe(405);
  }
  const meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const method = 'subscriptions/listen';
  const listen = { ...listing, method, params: { _meta: meta, notifications: { toolsListChanged: true } } };
  const { text } = await post(listen, { 'mcp-protocol-version': revision, 'mcp-method': method });
  expect(text).toContain('Subscription limit reached');
});

test('a call of a tool is one line of the log, without its arguments', async () => {
  const url = await serve(local, (routes) => {
    routes.get('/api/gene-summary', async (_request, reply) =>
      reply.status(400).send({ code: 'invalid_request', message: 'Not this gene.' }),
    );
  });
  const client = await connectTools(url, {});
  await client.call('summarize_gene', { gene: 'SECRET' });
  const lines = log.map((line) => JSON.parse(line) as object).filter((line) => 'tool' in line);
  expect(lines).toEqual([
    expect.objectContaining({
      msg: 'tool call',
      tool: 'summarize_gene',
      status: 400,
      milliseconds: expect.any(Number),
      requestId: expect.stringMatching(/^[-\w]{36}$/),
    }),
  ]);
  expect(JSON.stringify(lines)).not.toContain('SECRET');
});

describe('tasks', () => {
  const extension = 'io.modelcontextprotocol/tasks';
  const accounts = {
    userOf: async () => undefined,
    // The first letter of a key is its user; one with an `r` behind it may read alone.
    userOfKey: async (apiKey: string) => ({
      userId: apiKey[4]!,
      name: 'Key',
      scopes: apiKey[5] === 'r' ? (['read'] as const) : (['read', 'analyse'] as const),
    }),
    trialExpired: async () => false,
    isOperator: async () => false,
  };
  const keyOf = (letters: string) => `cfp_${letters.padEnd(43, '0')}`;
  const answers = new Map<string, (answer: object) => void>();
  const recorded: { userId: string; tool: string; status: number }[] = [];
  let begun: (gene: string) => void = () => {};
  afterEach(() => void (begun = () => {}));

  /** A server whose tool `summarize_gene` ends when the test says so. */
  const serveSlowly = (tasksAfterMilliseconds: number | undefined) =>
    serve(
      { ...local, tasksAfterMilliseconds },
      (routes) => {
        routes.get('/api/gene-summary', async ({ query, clientGone }) => {
          const { gene } = query as { gene: string };
          return new Promise((resolve, reject) => {
            answers.set(gene, resolve);
            clientGone.addEventListener('abort', () => {
              answers.delete(gene);
              reject(new Error('gone'));
            });
            begun(gene);
          });
        });
        routes.get('/api/progress/:requestId', async (_request, reply) =>
          reply.send('data: {"stage":"Reading","done":1,"total":4}\n\n'),
        );
      },
      {
        access: new AccessPolicy(['site'], accounts),
        toolCalls: {
          add: async ({ userId }, _filename, { tool, status }) =>
            void recorded.push({ userId, tool, status }),
        },
      },
    );

  const send = async (
    key: string,
    method: string,
    params: { name?: string; taskId?: string; arguments?: object },
    declares = true,
  ) => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': revision,
      'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': declares ? { extensions: { [extension]: {} } } : {},
    };
    const { text } = await post(
      { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } },
      {
        authorization: `Bearer ${key}`,
        'mcp-protocol-version': revision,
        'mcp-method': method,
        'mcp-name': params.name ?? params.taskId ?? '',
      },
    );
    const json = text.startsWith('{') ? text : /^data: (.*)$/m.exec(text)![1]!;
    return JSON.parse(json) as { result: TaskState & { resultType: string }; error: { code: number } };
  };
  const callGene = (key: string, gene: string, declares = true) =>
    send(key, 'tools/call', { name: 'summarize_gene', arguments: { gene } }, declares);
  const [ada, adaReads, bob] = [keyOf('a'), keyOf('ar'), keyOf('b')];
  const summary = (gene: string) => ({ gene, datasets: [] });
  const stateOf = async (taskId: string, key = ada) => (await send(key, 'tasks/get', { taskId })).result;

  test('are offered by a server that has them, and answer a call that takes long', async () => {
    await serveSlowly(10);
    const { result: discovered } = await send(ada, 'server/discover', {});
    expect(discovered).toMatchObject({ capabilities: { extensions: { [extension]: {} } } });
    const { result: created } = await callGene(ada, 'CD3E');
    expect(created).toMatchObject({
      resultType: 'task',
      status: 'working',
      ttlMs: 3_600_000,
      pollIntervalMs: 2000,
    });
    const { taskId } = created;
    await vi.waitFor(async () => expect((await stateOf(taskId)).statusMessage).toBe('Reading: 1 of 4'));
    answers.get('CD3E')!(summary('CD3E'));
    await vi.waitFor(async () => expect((await stateOf(taskId)).status).toBe('completed'));
    const ended = await stateOf(taskId);
    expect(ended).toMatchObject({
      resultType: 'complete',
      result: { structuredContent: summary('CD3E') },
    });
    // It stays, and ends as it was.
    await send(ada, 'tasks/cancel', { taskId });
    expect(await stateOf(taskId)).toEqual(ended);
    expect(recorded).toContainEqual({ userId: 'a', tool: 'summarize_gene', status: 200 });
  });

  test('are no answer to a client that does not declare them, to a quick call, or of a server without them', async () => {
    await serveSlowly(10);
    const waiting = new Promise<string>((resolve) => (begun = resolve));
    const undeclared = callGene(ada, 'CD8A', false);
    answers.get(await waiting)!(summary('CD8A'));
    expect((await undeclared).result).toMatchObject({ structuredContent: summary('CD8A') });
    expect((await send(ada, 'tasks/get', { taskId: 'x' }, false)).error.code).toBe(-32021);
    await app.close();
    await serveSlowly(60_000);
    begun = (gene) => answers.get(gene)!(summary(gene));
    expect((await callGene(ada, 'CD4')).result).toMatchObject({ structuredContent: summary('CD4') });
    await app.close();
    await serveSlowly(undefined);
    expect((await send(ada, 'server/discover', {})).result).toMatchObject({ capabilities: { tools: {} } });
    expect(JSON.stringify(await send(ada, 'server/discover', {}))).not.toContain(extension);
    expect((await send(ada, 'tasks/get', { taskId: 'x' })).error.code).toBe(-32601);
    expect((await callGene(ada, 'CD2')).result).toMatchObject({ structuredContent: summary('CD2') });
  });

  test('are of their caller, with the scope of the tool', async () => {
    await serveSlowly(10);
    const { taskId } = (await callGene(ada, 'MS4A1')).result;
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
      expect((await send(bob, method, { taskId })).error.code).toBe(-32602);
    expect(await stateOf(taskId, adaReads)).toMatchObject({ status: 'working' });
    expect((await send(ada, 'tasks/update', { taskId })).result).toMatchObject({ resultType: 'complete' });
    expect(await stateOf(taskId)).toMatchObject({ status: 'working' });
  });

  test('end their work when they are canceled', async () => {
    await serveSlowly(10);
    const { taskId } = (await callGene(ada, 'LYZ')).result;
    await send(ada, 'tasks/cancel', { taskId });
    expect(await stateOf(taskId)).toMatchObject({ status: 'cancelled' });
    await vi.waitFor(() => expect(answers.has('LYZ')).toBe(false));
    await vi.waitFor(() =>
      expect(recorded).toContainEqual({ userId: 'a', tool: 'summarize_gene', status: 499 }),
    );
  });
});

test.each([{ pin: revision }, 'legacy' as const])(
  'the work of a call ends when its client leaves (%s)',
  async (mode) => {
    let begun = () => {};
    const running = new Promise<void>((resolve) => (begun = resolve));
    let ended: Promise<unknown> | undefined;
    const url = await serve(local, (routes) => {
      routes.get('/api/gene-summary', async ({ clientGone }) => {
        ended = once(clientGone, 'abort');
        begun();
        await ended;
        return {};
      });
    });
    const leaving = new AbortController();
    const client = await connectTools(url, {}, mode);
    const call = client.call('summarize_gene', { gene: 'CD3E' }, { signal: leaving.signal });
    const failed = expect(call).rejects.toThrow(/leaves|closed/i);
    await running;
    leaving.abort(new Error('The client leaves.'));
    await failed;
    if (mode === 'legacy') await client.close();
    await ended;
  },
);
