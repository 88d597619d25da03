import type { FastifyInstance, FastifyPluginAsync } from 'fastify';

export const requestHeaders =
  'authorization, apikey, content-type, x-client-info, x-supabase-api-version, accept, accept-profile, content-profile, prefer, range, x-retry-count, x-upsert, x-metadata, cache-control, x-region, x-signature, tus-resumable, upload-length, upload-offset, upload-metadata, upload-defer-length';
// Without x-supabase-api-version among them, a client on another origin cannot read error codes.
export const exposedHeaders =
  'x-supabase-api-version, content-range, content-profile, preference-applied, location, x-total-count, link, x-relay-error, retry-after, etag, content-disposition, tus-resumable, tus-version, tus-extension, tus-max-size, upload-offset, upload-length, upload-expires';

/**
 * Allows calls from web apps on any origin: callers are identified by headers that a page must set itself, never by
 * cookies, so another site gains nothing by calling from a visitor's browser.
 */
export function allowOtherOrigins(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.headers.origin === undefined) return;
    reply.header('access-control-allow-origin', '*');
    reply.header('access-control-expose-headers', exposedHeaders);
  });
  app.options('/*', { config: { open: true } }, async (_request, reply) =>
    reply
      .code(204)
      .header('access-control-allow-methods', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS')
      .header('access-control-allow-headers', requestHeaders)
      .header('access-control-max-age', '3600')
      .send(),
  );
}

/** Treats `application/json` with an empty body as no body: clients send that on sign-out and deletes. */
export function acceptEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else parse(request, body as string, done);
  });
}

const message = (service: string) => `The ${service} service is not available here yet.`;

interface UnavailableServicesOptions {
  present: readonly string[];
}

/** Routes of the services that are not mounted; each replies in the format that its client understands. */
export const unavailableServices: FastifyPluginAsync<UnavailableServicesOptions> = async (
  app,
  { present },
) => {
  // 404, not 501: clients retry some 5xx as outages.
  const services: Record<string, unknown> = {
    '/rest/v1': { code: 'feature_disabled', message: message('REST'), details: null, hint: null },
    '/storage/v1': {
      statusCode: '404',
      error: 'feature_disabled',
      code: 'feature_disabled',
      message: message('storage'),
    },
    '/functions/v1': { error: message('functions'), code: 'feature_disabled' },
  };
  for (const [prefix, answer] of Object.entries(services)) {
    if (present.includes(prefix)) continue;
    await app.register(
      async (scope) => {
        allowOtherOrigins(scope);
        // The body is ignored, whatever its type.
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser('*', (_request, payload, done) => {
          payload.resume();
          done(null);
        });
        scope.setNotFoundHandler(async (_request, reply) => reply.code(404).send(answer));
      },
      { prefix },
    );
  }
};
