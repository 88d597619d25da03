import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type EmbeddedDataset, embeddedDatasetElement, readEmbeddedView } from '@cellfolio/contract';
import { escapeHtml } from '@cellfolio/platform';
import type { DatasetManifest } from '@cellfolio/store';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { handleError } from '../../runtime/http/error-handler.ts';
import { siteOrigin } from '../../runtime/http/routes.ts';
import type { Catalogue } from '../catalogue/index.ts';

interface EmbedPageOptions {
  /** The built web app, with `embed.html`. */
  folder: string;
  /** Sites that may frame the page; without any, embedding is off. */
  origins: readonly string[];
  siteUrl: string | undefined;
  apiKey: string;
  catalogue: Pick<Catalogue, 'find'>;
}

/**
 * The page of embedded views, `/embed/{dataset}`, the only one that other sites may frame. It is the same for all
 * callers: it reads no cookie and no token, and has a visitor's rights. A dataset that is not public and one that does
 * not exist have the same answer.
 */
export const embedPagePlugin: FastifyPluginAsync<EmbedPageOptions> = async (app, options) => {
  const { folder, origins, siteUrl, apiKey, catalogue } = options;
  app.setErrorHandler(handleError);
  const file = join(folder, 'embed.html');
  const page = origins.length > 0 && existsSync(file) ? await readFile(file, 'utf8') : undefined;
  app.get('/embed/*', async (request, reply) => {
    reply.header('cache-control', 'no-cache');
    if (page === undefined) {
      const isOff = 'Embedding is off on this server. Its operator can turn it on: see EMBED_ORIGINS.';
      const reason = origins.length === 0 ? isOff : 'The web app is not built.';
      return reply.status(404).type('text/plain; charset=utf-8').send(`${reason}\n`);
    }
    allowFrames(reply, origins);
    const origin = siteOrigin(request, siteUrl);
    const view = readEmbeddedView(new URL(request.url, origin));
    const manifest = view && (await catalogue.find(view.dataset));
    const data = manifest && dataElement(manifest, apiKey);
    const head = oembedLink(request, origin) + (data ?? '');
    return reply
      .status(manifest ? 200 : 404)
      .type('text/html; charset=utf-8')
      .send(page.replace('</head>', () => `${head}</head>`));
  });
};

/** `X-Frame-Options` cannot name sites: browsers that know `frame-ancestors` ignore it, others would refuse all. */
function allowFrames(reply: FastifyReply, origins: readonly string[]): void {
  const policy = String(reply.getHeader('content-security-policy'));
  const ancestors = ["frame-ancestors 'self'", ...origins].join(' ');
  reply.header('content-security-policy', policy.replace("frame-ancestors 'none'", ancestors));
  reply.removeHeader('x-frame-options');
}

/** Names come from files: no `<` ends the element early, and scripts of this type do not run. */
function dataElement({ id, version, cellCount, catalogue }: DatasetManifest, apiKey: string): string {
  const { name, simulated, gseAccessionNumber: accession } = catalogue;
  const dataset: EmbeddedDataset = {
    filename: id,
    name,
    version,
    cellCount,
    simulated,
    ...(accession !== undefined && { accession }),
    apiKey,
  };
  const json = JSON.stringify(dataset).replaceAll('<', String.raw`\u003c`);
  return `<script type="application/json" id="${embeddedDatasetElement}">${json}</script>`;
}

/** Lets consumers of oEmbed find the answer about a page. */
export function oembedLink(request: FastifyRequest, origin: string): string {
  const query = new URLSearchParams({ url: origin + request.url, format: 'json' });
  const address = escapeHtml(`${origin}/oembed?${query}`);
  return `<link rel="alternate" type="application/json+oembed" href="${address}">`;
}
