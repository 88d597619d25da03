import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { matrix } from './authorisation/matrix.ts';
import { openApiDocument } from './openapi-document.ts';
import { startTestServer, type TestServer } from '../testing/running-server.ts';

interface Media {
  schema?: { $ref?: string };
}
interface Operation {
  summary?: string;
  tags?: readonly string[];
  security?: readonly Record<string, readonly string[]>[];
  parameters?: readonly {
    name: string;
    in: string;
    required?: boolean;
    schema?: object;
  }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
}
interface Document {
  openapi: string;
  info: { title: string; version: string };
  tags: readonly { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Record<string, unknown>>;
    securitySchemes: Record<string, object>;
  };
}

let server: TestServer;
let document: Document;
let operations: [string, Operation][];

beforeAll(async () => {
  server = await startTestServer({}, async () => undefined);
  document = (await (await fetch(`${server.siteUrl}/api/openapi.json`)).json()) as Document;
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method} ${path}`,
      operation,
    ]),
  );
});
afterAll(() => server.close());

const operation = (name: string) => operations.find(([key]) => key === name)![1];
const headersOf = ({ parameters = [] }: Operation) =>
  parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name);
const refusalsOf = ({ responses }: Operation) =>
  Object.keys(responses).filter((status) => !status.startsWith('2'));
const refsIn = (part: unknown) =>
  [...JSON.stringify(part).matchAll(/"\$ref":"([^"]*)"/g)].map(([, ref]) => ref!);

describe('the OpenAPI document', () => {
  test('is a valid OpenAPI 3.1 document', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Cellfolio' } });
    const ids = Object.keys(document.components.schemas).map((id) => `#/components/schemas/${id}`);
    // Every reference has a target, and every schema is used.
    expect([...new Set(refsIn(document))].sort()).toEqual(ids.sort());
    for (const [name, { parameters = [], responses, requestBody }] of operations) {
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      expect(
        inPath.map((parameter) => `{${parameter.name}}`),
        name,
      ).toEqual(name.match(/\{\w+\}/g) ?? []);
      expect(
        inPath.every(({ required }) => required === true),
        name,
      ).toBe(true);
      expect(
        parameters.every(({ schema }) => schema !== undefined),
        name,
      ).toBe(true);
      for (const [status, response] of Object.entries(responses)) {
        expect(status, name).toMatch(/^[2-5]\d\d$/);
        expect(response.description, name).toMatch(/\.$/);
      }
      for (const { content = {} } of [...Object.values(responses), requestBody ?? {}]) {
        for (const media of Object.values(content)) expect(media.schema, name).toBeDefined();
      }
    }
  });

  test('is the same without a server, for the documentation', async () => {
    expect(JSON.parse(JSON.stringify(await openApiDocument()))).toEqual(document);
  });

  test('has a summary, a tag with a description, and errors for every call', () => {
    const tags = document.tags.map(({ name }) => name);
    const neverRefused = new Set(['get /config.json', 'get /healthz']);
    expect(operations.length).toBeGreaterThan(14);
    for (const [name, { summary, tags: own, responses, requestBody }] of operations) {
      expect(summary, name).toMatch(/^[A-Z].{9,}/);
      expect(tags, name).toContain(own?.[0]);
      expect(requestBody === undefined || '400' in responses, name).toBe(true);
      const refused = Object.entries(responses).filter(([status]) => !status.startsWith('2'));
      expect(refused.length > 0 || neverRefused.has(name), name).toBe(true);
      for (const [, { content }] of refused) {
        expect(content?.['application/json']?.schema?.$ref, name).toBe('#/components/schemas/ApiError');
      }
    }
  });

  test('has the security requirement of each call', () => {
    expect(Object.keys(document.components.securitySchemes)).toEqual(['apiKey', 'bearer']);
    const open = operations.filter(([, { security }]) => security?.length === 0).map(([name]) => name);
    expect(open.sort()).toEqual([
      'get /api/datasets/{datasetFilename}/umap.png',
      'get /config.json',
      'get /healthz',
      'get /readyz',
    ]);
    expect(operation('get /api/dataset_metadata').security).toEqual([{ apiKey: ['read'] }]);
    const analysis = operation('post /api/perform-marker-analysis');
    expect(analysis.security).toEqual([{ apiKey: [], bearer: [] }, { apiKey: ['analyse'] }]);
    expect(refusalsOf(analysis)).toEqual(['400', '401', '403', '409', '413', '415', '422', '429', '503']);
  });

  test('has the refusals of callers without access', () => {
    const calls = [...matrix].filter(([route]) => / \/(?:api|config|healthz|readyz)/.test(route));
    expect(calls.length).toBeGreaterThan(20);
    for (const [route, { answers }] of calls) {
      if (route.endsWith('/openapi.json')) continue;
      const [method = '', path = ''] = route.split(' ');
      const specOperation = operation(`${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
      const met = answers.split(' ').filter((status) => status >= '400');
      expect(refusalsOf(specOperation), route).toEqual(expect.arrayContaining(met));
    }
  });

  test('has the headers of the session and the request id', () => {
    expect(headersOf(operation('post /api/plot-umap-with-genes'))).toEqual(['X-Session-Id', 'X-Request-Id']);
    expect(headersOf(operation('get /api/dataset_metadata'))).toEqual(['X-Request-Id']);
  });

  test('has the media type of figures', () => {
    const kinds = (name: string) => Object.keys(operation(name).responses['200']?.content ?? {});
    expect(kinds('post /api/render-figure')).toEqual([
      'image/png',
      'image/svg+xml',
      'application/pdf',
      'application/json',
    ]);
    expect(kinds('get /api/datasets/{datasetFilename}/umap.png')).toEqual(['image/png']);
    expect(kinds('get /api/progress/{requestId}')).toEqual(['text/event-stream']);
    expect(kinds('post /api/plot-umap-with-genes')).toEqual(['application/json']);
  });

  test('has shared schemas once, with described fields', () => {
    const { schemas } = document.components;
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining([
        'ApiError',
        'Figure',
        'FigureSource',
        'FigureSourceInput',
        'SubsetFilterInput',
      ]),
    );
    const places = refsIn(document).filter((ref) => ref.endsWith('/FigureSource'));
    expect(places.length).toBeGreaterThan(3);
    expect(schemas['MarkersParameters']?.['properties']).toMatchObject({
      n_genes: { type: 'integer', default: 10, description: expect.stringContaining('per group') },
    });
    expect(schemas['FilterAnswer']?.['properties']).toMatchObject({
      cell_type_counts: { type: 'object', additionalProperties: { type: 'integer', minimum: 0 } },
    });
  });
});
