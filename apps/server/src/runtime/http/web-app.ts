import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';

/** Paths that belong to services: an unknown one there is an error, not a page. */
const servicePaths = /^\/(api|auth\/v1|rest\/v1|storage\/v1|functions\/v1)(\/|$)/;

/** The page that every address of the tool begins with. */
const toolPage = '/app';

interface WebAppOptions extends BuiltPageValues {
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

/** A text of the built web app, with what is known only now. */
interface BuiltPage {
  readonly text: string;
  /** Media type. */
  readonly type: string;
  /** What a content security policy names its inline scripts by: `'sha256-…'`. */
  readonly scriptHashes: readonly string[];
  /** Strong entity tag. */
  readonly tag: string;
}

/** What pages say that is known only when they are served. */
interface BuiltPageValues {
  /** Where browsers reach the site, without a closing slash. */
  readonly siteUrl: string;
  readonly trialDays: number;
}

/** What the build writes in their place (apps/web/src/lib/site-origin.ts and trial-length.ts). */
const originPlaceholder = 'https://site-url.invalid';
const trialPlaceholder = 'trial-length.invalid';

const types: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.xml', 'application/xml; charset=utf-8'],
  ['.txt', 'text/plain; charset=utf-8'],
]);

/** The pages of a build by the paths they are asked for: `blog/a.html` at `/blog/a`, `index.html` at `/`. */
async function readBuiltPages(
  folder: string,
  { siteUrl, trialDays }: BuiltPageValues,
): Promise<Map<string, BuiltPage>> {
  const trialLength = trialDays === 1 ? '1 day' : `${trialDays} days`;
  const pages = new Map<string, BuiltPage>();
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const extension = /\.\w+$/.exec(file.name)?.[0] ?? '';
    const type = types.get(extension);
    const name = relative(folder, join(file.parentPath, file.name)).replaceAll('\\', '/');
    if (type === undefined || !file.isFile() || name.startsWith('assets/')) continue;
    const built = await readFile(join(folder, name), 'utf8');
    const text = built.replaceAll(originPlaceholder, siteUrl).replaceAll(trialPlaceholder, trialLength);
    const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
    pages.set(`/${name.replace(/(^|\/)index\.html$|\.html$/, '')}`, {
      text,
      type,
      tag,
      scriptHashes: scriptHashes(text),
    });
  }
  return pages;
}

/** Only the build writes these pages, so every script in them is its own. */
function scriptHashes(html: string): string[] {
  return Array.from(html.matchAll(/<script>([^]*?)<\/script>/g), ([, script = '']) => {
    return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
  });
}
