import { join } from 'node:path';
import { importH5ad } from '@cellfolio/ingest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { matrix } from './authorisation/matrix.ts';
import { apiClient, startTestServer, type TestServer } from '../testing/running-server.ts';
import { createRandom } from '../features/demo/index.ts';
import { hostileNames, writeHostileH5ad } from '../testing/hostile-dataset.ts';
import { writeTinyDataset } from '../testing/tiny-dataset.ts';

const rounds = 6;
const hostile = 'hostile.h5ad';

interface Schema {
  $ref?: string;
  type?: string;
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  minItems?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}
interface Operation {
  requestBody?: { content: Record<string, { schema: Schema }> };
  parameters?: readonly { name: string; in: string }[];
}

let server: TestServer;
let other: ReturnType<typeof apiClient>;
let token = '';
let operations: ReadonlyMap<string, Operation>;
let schemas: ReadonlyMap<string, Schema>;

beforeAll(async () => {
  server = await startTestServer({}, async ({ objectRoot, dataDir }) => {
    await writeTinyDataset(objectRoot, 'tiny.h5ad');
    const path = join(dataDir, hostile);
    await writeHostileH5ad(path);
    await importH5ad({
      path,
      root: objectRoot,
      id: hostile,
      catalogue: {
        name: 'constructor',
        disease: 'constructor',
        subdisease: '__proto__',
        category1: 'toString',
        category2: 'valueOf',
        description: '__proto__',
        simulated: false,
      },
      columns: { expression: 'log1p', cellType: 'constructor', cluster: 'toString', embedding: '__proto__' },
    });
  });
  token = await server.signIn('professional');
  other = apiClient(server, await server.signIn('standard'), 'other');
  const document = (await (await fetch(`${server.siteUrl}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Schema> };
  };
  schemas = new Map(Object.entries(document.components.schemas));
  operations = new Map(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
        operation,
      ]),
    ),
  );
});
afterAll(() => server?.close());

type Random = () => number;
const oneOf = <T>(random: Random, values: readonly T[]): T => values[Math.floor(random() * values.length)]!;

function valueOf(schema: Schema, random: Random): unknown {
  if (schema.$ref !== undefined) return valueOf(schemas.get(schema.$ref.split('/').at(-1)!)!, random);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return oneOf(random, schema.enum);
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choices) return valueOf(oneOf(random, choices), random);
  switch (schema.type) {
    case 'string':
      return oneOf(random, hostileNames).slice(0, schema.maxLength);
    case 'boolean':
      return random() < 0.7;
    case 'integer':
    case 'number': {
      const [minimum, maximum] = [schema.minimum ?? 1, schema.maximum ?? 90];
      return Math.round(minimum + random() * Math.min(50, maximum - minimum));
    }
    case 'array':
      return Array.from({ length: Math.max(schema.minItems ?? 0, 1 + Math.floor(2 * random())) }, () =>
        valueOf(schema.items ?? { type: 'string' }, random),
      );
    case 'null':
      return null;
    default:
      return objectOf(schema, random);
  }
}

function objectOf(schema: Schema, random: Random): unknown {
  const { properties = {}, required = [], additionalProperties } = schema;
  const entries = Object.entries(properties)
    .filter(([name]) => required.includes(name) || random() < 0.7)
    .map(([name, own]): [string, unknown] => [
      name,
      // Half of the figures are of an existing dataset.
      name === 'dataset_filename' && random() < 0.7 ? hostile : valueOf(own, random),
    ]);
  if (typeof additionalProperties === 'object') {
    for (let n = 0; n < 3; n++)
      entries.push([oneOf(random, hostileNames), valueOf(additionalProperties, random)]);
  } else if (random() < 0.3) entries.push([oneOf(random, hostileNames), oneOf(random, hostileNames)]);
  return Object.fromEntries(entries);
}

function corrupted(value: unknown, random: Random): unknown {
  if (typeof value === 'string') return random() < 0.6 ? oneOf(random, hostileNames) : value;
  if (Array.isArray(value)) return value.map((one) => corrupted(one, random));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, own]): [string, unknown] => [
    name,
    corrupted(own, random),
  ]);
  return Object.fromEntries([...entries, [oneOf(random, hostileNames), oneOf(random, hostileNames)]]);
}

function requestOf(route: string, seed: number): { path: string; init: RequestInit } {
  const { uniform: random } = createRandom(String(seed));
  const [method = '', pattern = ''] = route.split(' ');
  const entry = matrix.get(route)!;
  const operation = operations.get(route);
  const name = () => encodeURIComponent(oneOf(random, hostileNames));
  const query = (operation?.parameters ?? []).filter((parameter) => parameter.in === 'query');
  const queryParts = query.map((parameter) => `${parameter.name}=${name()}`);
  // Tables accept filters of columns with any name.
  if (pattern.startsWith('/rest/')) queryParts.push(`${name()}=eq.${name()}`, `select=${name()}`);
  else queryParts.push(`${name()}=${name()}`);
  const path = `${pattern.replaceAll(/:\w+\??|\*/g, name)}?${queryParts.join('&')}`;
  const schema = Object.values(operation?.requestBody?.content ?? {})[0]?.schema;
  const bag = { [oneOf(random, hostileNames)]: oneOf(random, hostileNames) };
  const body = schema ? valueOf(schema, random) : corrupted(entry.body ?? bag, random);
  return {
    path,
    init: {
      method,
      redirect: 'manual',
      headers: {
        ...server.headers(token, 'hostile'),
        apikey: server.config.publishableKey,
        'content-type': 'application/json',
        ...entry.headers,
      },
      ...(method !== 'GET' && method !== 'HEAD' && { body: JSON.stringify(body) }),
    },
  };
}

/** Routes that end the caller's session come last. */
const routes = [...matrix.keys()]
  // Has no input, and would fetch from the publisher of gene sets.
  .filter((route) => route !== 'POST /api/gene-set-libraries/pull')
  .sort(
    (a, b) =>
      Number(a.includes('logout') || a.includes('/user')) -
      Number(b.includes('logout') || b.includes('/user')),
  );

test('no route fails on names of properties of every object, and other datasets stay open', async () => {
  await fetch(`${server.siteUrl}/api/dataset_analysis/${hostile}`, {
    headers: server.headers(token, 'hostile'),
  });
  const failures: string[] = [];
  let answered = 0;
  for (const route of routes) {
    const expected = new Set(matrix.get(route)!.answers.split(' '));
    for (let round = 0; round < rounds; round++) {
      const { path, init } = requestOf(route, round);
      const answer = await fetch(server.siteUrl + path, { ...init, signal: AbortSignal.timeout(20_000) });
      const stream = answer.headers.get('content-type')?.includes('event-stream') ?? false;
      if (stream) await answer.body?.cancel();
      const text = stream ? '' : await answer.text();
      if (answer.ok) answered++;
      // Services that are not configured refuse everything.
      if (answer.status >= 500 && !expected.has(String(answer.status)))
        failures.push(`${route} ${path} ${String(init.body)}: ${answer.status} ${text.slice(0, 200)}`);
    }
  }
  expect(failures).toEqual([]);
  // Not everything was refused.
  expect(answered).toBeGreaterThan(50);
  const { status, body } = await other.get('/api/dataset_metadata');
  expect([status, Object.keys(body).sort()]).toEqual([200, ['Breast Cancer', 'constructor']]);
  for (const id of ['tiny.h5ad', hostile]) {
    expect([id, (await other.get(`/api/dataset_analysis/${id}`)).status]).toEqual([id, 200]);
  }
}, 180_000);

test('other datasets are drawn and filtered as before', async () => {
  await other.get('/api/dataset_analysis/tiny.h5ad');
  const plot = await other.post('/api/plot-umap-with-genes', { genes: ['CD79A'] });
  expect(plot.status).toBe(200);
  const filter = await other.post('/api/filter-active-dataset', {
    subset_group_name: 'B',
    cell_type_filter: true,
    cell_type: ['B cell'],
  });
  expect(filter.body.cell_count).toBe(20);
});
