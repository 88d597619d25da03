import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { type BuiltPage, type BuiltPageValues, readBuiltPages } from './built-pages.ts';

/** Paths that belong to services: an unknown one there is an error, not a page. */
const servicePaths = /^\/(api|auth\/v1|rest\/v1|storage\/v1|functions\/v1)(\/|$)/;

/** The page that every address of the tool begins with. */
const toolPage = '/app';

export interface WebAppOptions extends BuiltPageValues {
  /** Of the built web app. */
  readonly folder: string;
}

/** Serves the built web app: its rendered pages by their paths, its files; every other path is the tool's to route. */
export const webAppPlugin = fastifyPlugin<WebAppOptions>(async (app, { folder, ...values }) => {
  const built = existsSync(join(folder, 'index.html'));
  const pages = built ? await readBuiltPages(folder, values) : new Map<string, BuiltPage>();
  const page = pages.get(toolPage) ?? pages.get('/');
  if (built) {
    for (const [path, content] of pages) if (path !== toolPage) servePage(app, path, content);
    // Names in here carry a hash of their content.
    await app.register(fastifyStatic, {
      root: join(folder, 'assets'),
      prefix: '/assets/',
      index: false,
      setHeaders: (response) => response.header('cache-control', 'public, max-age=31536000, immutable'),
    });
    await app.register(fastifyStatic, {
      root: folder,
      index: false,
      decorateReply: false,
      // A route for each file: one for every path would take the unknown ones of the services from them, who answer
      // in words that their clients read.
      wildcard: false,
      // Pages go by their paths, and with the address of the site filled in.
      globIgnore: ['assets/**', '**/*.html', ...[...pages.keys()].map((path) => path.slice(1))],
      setHeaders: (response) => response.header('cache-control', 'no-cache'),
    });
  }
  notFoundAnswers(app, page);
});

function servePage(app: FastifyInstance, path: string, page: BuiltPage): void {
  app.get(path, async (request, reply) => {
    void reply.header('cache-control', 'no-cache').header('etag', page.tag);
    const policy = reply.getHeader('content-security-policy');
    if (typeof policy === 'string' && page.scriptHashes.length > 0) {
      void reply.header('content-security-policy', allowing(policy, page.scriptHashes));
    }
    if (request.headers['if-none-match'] === page.tag) return reply.status(304).send();
    return reply.type(page.type).send(page.text);
  });
}

/** A policy that also allows these scripts. */
function allowing(policy: string, scriptHashes: readonly string[]): string {
  return policy.replace(/script-src [^;]*/, (sources) => [sources, ...scriptHashes].join(' '));
}

function notFoundAnswers(app: FastifyInstance, tool: BuiltPage | undefined): void {
  app.setNotFoundHandler({}, async (request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const asked = request.method === 'GET' && !servicePaths.test(path) && accepts(request.headers.accept);
    if (asked && tool) return reply.header('cache-control', 'no-cache').type(tool.type).send(tool.text);
    const message =
      tool || !asked ? `There is nothing at ${request.method} ${path}.` : 'The web app is not built.';
    return reply.status(404).send({ code: 'not_found', message });
  });
}

/** A browser asks for a page with text/html; a script or image that is missing must not get one. */
function accepts(header: string | undefined): boolean {
  return header?.includes('text/html') ?? false;
}
