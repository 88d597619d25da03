import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';

/** Paths that belong to services: an unknown one there is an error, not a page. */
const servicePaths = /^\/(api|auth\/v1|rest\/v1|storage\/v1|functions\/v1)(\/|$)/;

/** Serves the built web app; every other path is the app's own to route. */
export const webAppPlugin = fastifyPlugin<{ folder: string }>(async (app, { folder }) => {
  const built = existsSync(join(folder, 'index.html'));
  if (built) {
    await app.register(fastifyStatic, {
      root: folder,
      index: 'index.html',
      setHeaders(response, path) {
        // Names in assets/ carry a hash of their content.
        const lasting = path.includes('/assets/');
        response.header('cache-control', lasting ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  }
  notFoundAnswers(app, built);
});

function notFoundAnswers(app: FastifyInstance, built: boolean): void {
  app.setNotFoundHandler({}, async (request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const page = request.method === 'GET' && !servicePaths.test(path) && accepts(request.headers.accept);
    if (page && built) return reply.header('cache-control', 'no-cache').sendFile('index.html');
    const message =
      built || !page ? `There is nothing at ${request.method} ${path}.` : 'The web app is not built.';
    return reply.status(404).send({ code: 'not_found', message });
  });
}

/** A browser asks for a page with text/html; a script or image that is missing must not get one. */
function accepts(header: string | undefined): boolean {
  return header?.includes('text/html') ?? false;
}
