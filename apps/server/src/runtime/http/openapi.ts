import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { FastifyContextConfig, FastifySchema } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { Access } from './access.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Refusals that the call has of its own, or says more of than is said of all calls: why, by status. */
    refusals?: Readonly<Record<number, string>>;
  }
}

type TransformObject = NonNullable<FastifyDynamicSwaggerOptions['transformObject']>;

/** Refusals by what a call asks for: well-formed input, a key, a dataset, somebody who may explore, work on cells. */
const refusals = {
  checked: { 400: 'A field or a header of the request is missing or wrong; `message` says what to send.' },
  body: { 413: 'The body has more than 1 MiB.', 415: 'The body is no JSON.' },
  keyed: { 401: 'The key or the token is missing, wrong or out of date.' },
  dataset: { 404: 'There is no such dataset.' },
  explorer: {
    403: 'The free trial has ended and there is no plan.',
    409: 'The dataset is not ready, or it or the library has been replaced since.',
    422: 'The request is well formed, but the data does not allow it; `message` says why.',
    503: 'The server has too much to do, or cannot reach its datasets; `Retry-After` says when to come again.',
  },
  worked: { 429: 'Too many of your calls are under way; `Retry-After` says when to come again.' },
} as const;

/** A caller is known by the key of the web app with a token, or by a key of their own alone. */
const security: Readonly<Record<Access, NonNullable<FastifySchema['security']>>> = {
  public: [],
  key: [{ apiKey: [] }],
  member: [{ apiKey: [], bearer: [] }, { apiKey: [] }],
  explorer: [{ apiKey: [], bearer: [] }, { apiKey: [] }],
  operator: [{ apiKey: [], bearer: [] }, { apiKey: [] }],
};

const names = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' };
const sessionHeader = {
  'X-Session-Id': {
    ...names,
    description:
      'One for each tab or script: the open dataset and the chosen cells belong to it. `default` without it.',
  },
};
const requestHeader = {
  'X-Request-Id': { ...names, description: 'A name for this call, by which its progress can be watched.' },
};

/** How the document is made from the schemas of the routes, which say what the calls have of their own. */
export const openApiOptions: FastifyDynamicSwaggerOptions = {
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Cellfolio',
      version: '1',
      description: 'Explore single-cell RNA data: genes, signatures, subsets, markers and pathways.',
    },
    tags: [
      { name: 'datasets', description: 'Find and open a dataset, and choose its cells.' },
      { name: 'plots', description: 'Figures of the active cells.' },
      { name: 'maps', description: 'Columns of all cells as bytes, to draw a map of them.' },
      { name: 'analyses', description: 'Markers and gene set enrichment of the active cells.' },
      { name: 'links', description: 'Short links to views of the explorer.' },
      { name: 'own data', description: 'What becomes of your own files: inspection, conversion, datasets.' },
      { name: 'server', description: 'Settings and health of the server, and progress of calls.' },
    ],
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description:
            'The `apiKey` of `/config.json`, beside a bearer token; or a personal key, which needs no token.',
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
    const description = status === 202 ? 'Begun; it goes on after the answer.' : 'Done.';
    schema.security = security[access];
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
  readonly schema: FastifySchema;
  readonly url: string;
  readonly route: { readonly config?: FastifyContextConfig };
}

function errorsOf(access: Access, { schema, url, route }: Documented): Record<string, unknown> {
  const takesInput = access === 'explorer' || Boolean(schema.body ?? schema.params);
  const told = {
    ...(takesInput && refusals.checked),
    ...(Boolean(schema.body) && refusals.body),
    ...(access !== 'public' && refusals.keyed),
    ...(access === 'explorer' && refusals.explorer),
    ...(access === 'explorer' && Boolean(schema.body) && refusals.worked),
    ...(/:datasetFilename|render-figure/.test(url) && refusals.dataset),
    ...route.config?.refusals,
  };
  return Object.fromEntries(
    Object.entries(told).map(([status, description]) => [
      status,
      {
        description,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/ApiError' } } },
      },
    ]),
  );
}

type OpenApiDocument = ReturnType<TransformObject>;

/** Each schema is there as it is sent and as it is answered; those that no call names are left out. */
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
  const kept = [...schemas].filter(([id]) => used.has(id));
  return { ...document, components: { ...components, schemas: Object.fromEntries(kept) } } as OpenApiDocument;
}
