import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { roundFileSize } from '@cellfolio/contract';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { plural } from '@cellfolio/model';

/** Unknown paths below these are errors, not pages. */
const servicePaths = /^\/(api|auth\/v1|rest\/v1|storage\/v1|functions\/v1)(\/|$)/;

/** Not a page by itself: each answer has data of its dataset. */
const embedPage = 'embed.html';

/** The page of the tool, whose router handles all paths without a page. */
const toolPage = '/app';

interface WebAppOptions extends BuiltPageValues {
  folder: string;
  /** Elements that the answer to a request has at the end of its head. */
  headOf?: HeadOf;
}

type HeadOf = (request: FastifyRequest) => string;

export const webAppPlugin = fastifyPlugin<WebAppOptions>(
  async (app, { folder, headOf = () => '', ...values }) => {
    const built = existsSync(join(folder, 'index.html'));
    const pages = built ? await readBuiltPages(folder, values) : new Map<string, BuiltPage>();
    const page = pages.get(toolPage) ?? pages.get('/');
    if (built) {
      for (const [path, content] of pages) if (path !== toolPage) servePage(app, path, content, headOf);
      // File names contain a hash of the content.
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
        // A route for each file: a wildcard would catch unknown paths of the services, which have error formats of their own.
        wildcard: false,
        // Pages are served by `servePage`, that of embedded views by its feature.
        globIgnore: ['assets/**', '**/*.html', ...[...pages.keys()].map((path) => path.slice(1))],
        setHeaders: (response) => response.header('cache-control', 'no-cache'),
      });
    }
    setNotFoundHandler(app, page, headOf);
  },
);

function servePage(app: FastifyInstance, path: string, page: BuiltPage, headOf: HeadOf): void {
  app.get(path, async (request, reply) => {
    void reply.header('cache-control', 'no-cache').header('etag', page.tag);
    const policy = reply.getHeader('content-security-policy');
    if (typeof policy === 'string' && page.scriptHashes.length > 0) {
      void reply.header('content-security-policy', allowScripts(policy, page.scriptHashes));
    }
    if (request.headers['if-none-match'] === page.tag) return reply.status(304).send();
    return reply.type(page.type).send(withHead(page, headOf(request)));
  });
}

function withHead({ text }: BuiltPage, head: string): string {
  return head === '' ? text : text.replace('</head>', () => `${head}</head>`);
}

function allowScripts(policy: string, scriptHashes: readonly string[]): string {
  return policy.replace(/script-src [^;]*/, (sources) => [sources, ...scriptHashes].join(' '));
}

function setNotFoundHandler(app: FastifyInstance, tool: BuiltPage | undefined, headOf: HeadOf): void {
  app.setNotFoundHandler({}, async (request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const isPage =
      request.method === 'GET' && !servicePaths.test(path) && acceptsHtml(request.headers.accept);
    if (isPage && tool) {
      const text = withHead(tool, headOf(request));
      return reply.header('cache-control', 'no-cache').type(tool.type).send(text);
    }
    const message =
      tool || !isPage ? `There is nothing at ${request.method} ${path}.` : 'The web app is not built.';
    return reply.status(404).send({ code: 'not_found', message });
  });
}

/** True for navigations of a browser; a missing script or image must not get a page. */
function acceptsHtml(header: string | undefined): boolean {
  return header?.includes('text/html') ?? false;
}

interface BuiltPage {
  text: string;
  type: string;
  /** Hashes of its inline scripts for the content security policy: `'sha256-…'`. */
  scriptHashes: readonly string[];
  tag: string;
}

interface BuiltPageValues {
  /** Address of the site without a trailing slash. */
  siteUrl: string;
  trialDays: number;
  /** File storage of one user in bytes. */
  storageBytes: number;
}

/** Written by the build (apps/web/src/lib/site-origin.ts, trial-length.ts and features/billing/plans.tsx). */
const originPlaceholder = 'https://site-url.invalid';
const trialPlaceholder = 'trial-length.invalid';
const storagePlaceholder = 'user-storage.invalid';

const types: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.xml', 'application/xml; charset=utf-8'],
  ['.txt', 'text/plain; charset=utf-8'],
]);

/** The pages of a build by path: `blog/a.html` at `/blog/a`, `index.html` at `/`. */
async function readBuiltPages(
  folder: string,
  { siteUrl, trialDays, storageBytes }: BuiltPageValues,
): Promise<Map<string, BuiltPage>> {
  const trialLength = plural(trialDays, 'day');
  const pages = new Map<string, BuiltPage>();
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const extension = /\.\w+$/.exec(file.name)?.[0] ?? '';
    const type = types.get(extension);
    const name = relative(folder, join(file.parentPath, file.name)).replaceAll('\\', '/');
    if (type === undefined || !file.isFile() || name.startsWith('assets/') || name === embedPage) continue;
    const built = await readFile(join(folder, name), 'utf8');
    const text = built
      .replaceAll(originPlaceholder, siteUrl)
      .replaceAll(trialPlaceholder, trialLength)
      .replaceAll(storagePlaceholder, roundFileSize(storageBytes));
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

/** All scripts of a page are safe to allow: they come from the build. */
function scriptHashes(html: string): string[] {
  return Array.from(html.matchAll(/<script>([^]*?)<\/script>/g), ([, script = '']) => {
    return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
  });
}
