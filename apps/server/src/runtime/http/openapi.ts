import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { FastifyContextConfig, FastifySchema } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { softwareVersion } from '../software.ts';
import type { Access, NeededScope } from './access.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Error responses specific to the call: descriptions by status. */
    refusals?: Readonly<Record<number, string>>;
  }
}

type TransformObject = NonNullable<FastifyDynamicSwaggerOptions['transformObject']>;

const refusals = {
  checked: { 400: 'A field or a header of the request is missing or wrong; `message` says what to send.' },
  body: { 413: 'The body has more than 1 MiB.', 415: 'The body is no JSON.' },
  keyed: { 401: 'The key or the token is missing, wrong or out of date.' },
  dataset: { 404: 'There is no such dataset.' },
  session: { 403: 'A personal key was sent: this takes a session.' },
  scoped: { 403: 'The personal key lacks the scope of the call.' },
  explorer: {
    403: 'The free trial has ended, and there is no paid plan; or the personal key lacks the scope of the call.',
    409: 'The dataset is not ready, or it or the library has been replaced since.',
    422: 'The request is well formed, but the data does not allow it; `message` says why.',
    503: 'The server is overloaded, or cannot reach its datasets; `Retry-After` says when to try again.',
  },
  worked: { 429: 'Too many of your calls are running; `Retry-After` says when to try again.' },
} as const;

/**
 * A user is identified by the web app's key with an access token, or by a personal key alone, which needs the scope of the
 * call.
 */
function securityOf(access: Access, scope: NeededScope = 'any'): NonNullable<FastifySchema['security']> {
  if (access === 'public') return [];
  const ofKey = { apiKey: scope === 'any' ? [] : [scope] };
  if (access === 'key') return [ofKey];
  const ofSession = { apiKey: [], bearer: [] };
  return access === 'session' ? [ofSession] : [ofSession, ofKey];
}

const names = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' };
const sessionHeader = {
  'X-Session-Id': {
    ...names,
    description:
      'One per tab or script: the open dataset and the selected cells belong to it. Default: `default`.',
  },
};
const requestHeader = {
  'X-Request-Id': { ...names, description: 'A name for this call, by which its progress can be watched.' },
};

/** Builds the document from the schemas and `config` of the routes. */
export const openApiOptions: FastifyDynamicSwaggerOptions = {
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Cellfolio',
      version: softwareVersion,
      description:
        'Explore single-cell RNA data: genes, signatures, subsets, markers and pathways. Each answer names the version of the server in the header `cellfolio-version`.',
    },
    tags: [
      { name: 'datasets', description: 'Find and open a dataset, and choose its cells.' },
      { name: 'plots', description: 'Figures of the active cells.' },
      { name: 'maps', description: 'Columns of all cells as bytes, to draw a map of them.' },
      { name: 'annotations', description: 'Labels of cells of your own.' },
      { name: 'gene lists', description: 'Genes of your own under a name, for any dataset.' },
      { name: 'displays', description: 'Order, colors and names of categories, remembered for you.' },
      { name: 'analyses', description: 'Markers and gene set enrichment of the active cells.' },
      { name: 'assistant', description: 'Questions about a dataset, answered from results by a model.' },
      { name: 'links', description: 'Short links to views of the explorer.' },
      { name: 'own data', description: 'Your own files: inspection, conversion, datasets.' },
      { name: 'account', description: 'What an account holds, all of it as a file, and its deletion.' },
      { name: 'server', description: 'Settings and health of the server, and progress of calls.' },
    ],
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description:
            'The `apiKey` of `/config.json`, beside a bearer token; or a personal key, which needs no token, and the scope that a call names.',
        },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The `access_token` that signing in at `/auth/v1/token` answers.',
        },
      },
    },
  },
  transform: (document) => {
    const { schema, url } = jsonSchemaTransform(document as Parameters<typeof jsonSchemaTransform>[0]);
    const access: Access = document.route.config?.access ?? 'explorer';
    if (schema.hide) return { schema, url };
    const { produces = ['application/json'] } = document.schema;
    const answers = (schema.response ?? {}) as Record<string, unknown>;
    const status = '202' in answers ? 202 : 200;
    const description = status === 202 ? 'Started; it continues after the response.' : 'Done.';
    schema.security = securityOf(access, document.route.config?.scope);
    if (document.route.config?.deprecated) schema.deprecated = true;
    schema.headers = {
      type: 'object',
      properties: { ...(access === 'explorer' && sessionHeader), ...requestHeader },
    };
    schema.response = {
      ...answers,
      [status]: { description, content: contentOf(produces, answers[status]) },
      ...errorsOf(access, document),
    };
    return { schema, url };
  },
  transformObject: (document) => withoutUnused(jsonSchemaTransformObject(document as never) as never),
};

function contentOf(produces: readonly string[], answer: unknown): Record<string, { schema: unknown }> {
  return Object.fromEntries(
    produces.map((type) => [type, { schema: answer ?? { type: 'string', contentMediaType: type } }]),
  );
}

interface Documented {
  schema: FastifySchema;
  url: string;
  route: { config?: FastifyContextConfig };
}

function errorsOf(access: Access, { schema, url, route }: Documented): Record<string, unknown> {
  const takesInput = access === 'explorer' || Boolean(schema.body ?? schema.params);
  const errors = {
    ...(takesInput && refusals.checked),
    ...(Boolean(schema.body) && refusals.body),
    ...(access !== 'public' && refusals.keyed),
    ...((route.config?.scope ?? 'any') !== 'any' && refusals.scoped),
    ...(access === 'session' && refusals.session),
    ...(access === 'explorer' && refusals.explorer),
    ...(access === 'explorer' && Boolean(schema.body) && refusals.worked),
    ...(/:datasetFilename|render-figure/.test(url) && refusals.dataset),
    ...route.config?.refusals,
  };
  return Object.fromEntries(
    Object.entries(errors).map(([status, description]) => [
      status,
      {
        description,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/ApiError' } } },
      },
    ]),
  );
}

type OpenApiDocument = ReturnType<TransformObject>;

/** Removes schemas that no call refers to: each exists as input and as output. */
function withoutUnused(document: OpenApiDocument): OpenApiDocument {
  const { components } = document as { components?: { schemas?: Record<string, unknown> } };
  const schemas = new Map(Object.entries(components?.schemas ?? {}));
  const used = new Set<string>();
  const visit = (part: unknown): void => {
    for (const [, id] of JSON.stringify(part ?? null).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(id!)) continue;
      used.add(id!);
      visit(schemas.get(id!));
    }
  };
  visit((document as { paths?: unknown }).paths);
  const usedSchemas = [...schemas].filter(([id]) => used.has(id));
  return {
    ...document,
    components: { ...components, schemas: Object.fromEntries(usedSchemas) },
  } as OpenApiDocument;
}
