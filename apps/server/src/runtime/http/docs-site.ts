import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import fastifyPlugin from 'fastify-plugin';

const prefix = '/docs';

/** The documentation as files that `npm run build` made (apps/docs), for everyone. Its pages have no inline scripts. */
export const docsSitePlugin = fastifyPlugin<{ folder: string }>(async (app, { folder }) => {
  if (!existsSync(join(folder, 'index.html'))) {
    app.get(prefix, async (_request, reply) => notBuilt(reply));
    app.get(`${prefix}/*`, async (_request, reply) => notBuilt(reply));
    return;
  }
  app.get(prefix, async (_request, reply) => reply.redirect(`${prefix}/`, 308));
  await app.register(async (docs) => serveFiles(docs, folder), { prefix });
});

async function serveFiles(docs: FastifyInstance, folder: string): Promise<void> {
  const missing = await readFile(join(folder, '404.html'), 'utf8');
  docs.setNotFoundHandler(async (_request, reply) =>
    reply.status(404).header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(missing),
  );
  await docs.register(fastifyStatic, {
    root: folder,
    // `analyses/gradient.html` at `/docs/analyses/gradient`.
    extensions: ['html'],
    decorateReply: false,
    dotfiles: 'ignore',
    cacheControl: false,
    setHeaders: (response, path) => {
      // Names in `assets` contain a hash of the content.
      const isHashed = path.startsWith(join(folder, 'assets'));
      response.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
}

function notBuilt(reply: FastifyReply): FastifyReply {
  return reply
    .status(404)
    .send({ code: 'not_found', message: 'The documentation is not built: run `npm run build`.' });
}
