import type { FastifyInstance } from 'fastify';

/** Request headers that clients send. */
export const requestHeaders =
  'authorization, apikey, content-type, x-client-info, x-supabase-api-version, accept, accept-profile, content-profile, prefer, range, x-retry-count, x-upsert, x-metadata, cache-control, x-region, x-signature, tus-resumable, upload-length, upload-offset, upload-metadata, upload-defer-length';
// Without x-supabase-api-version among them, a client on another origin cannot read error codes.
export const exposedHeaders =
  'x-supabase-api-version, content-range, content-profile, preference-applied, location, x-total-count, link, x-relay-error, retry-after, etag, content-disposition, tus-resumable, tus-version, tus-extension, tus-max-size, upload-offset, upload-length, upload-expires';

/**
 * Lets web apps on other origins call. Any origin may: callers are known by headers that a page must set itself,
 * never by cookies, so another site gains nothing by calling from a visitor's browser.
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
