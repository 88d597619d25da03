import type { ReactNode } from 'react';
import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import type { Navigator } from 'react-router';
import { createMemoryRouter, createPath } from 'react-router';
import { App } from './app/app.tsx';
import { loadPublicPage, PublicApp } from './app/public-app.tsx';
import { publicPageFiles, toolPageFiles } from './app/prerendered-pages.ts';
import { routerReady, routes } from './app/router.tsx';
import { articles } from './features/blog/index.ts';
import type { PublicServices } from './lib/services.ts';
import { originPlaceholder } from '@/components/page-meta.tsx';

export interface RenderedPage {
  path: string;
  head: string;
  body: string;
}

export interface SiteText {
  pages: readonly RenderedPage[];
  toolPages: readonly RenderedPage[];
  files: Readonly<Record<string, string>>;
}

const noServices: PublicServices = {
  session: { get: () => ({ status: 'loading' }), subscribe: () => () => {} },
  load: () => Promise.reject(new Error('There are no services while pages are rendered beforehand.')),
};

const nowhere: Navigator = {
  createHref: (to) => (typeof to === 'string' ? to : createPath(to)),
  go: stays,
  push: stays,
  replace: stays,
};
function stays(): never {
  throw new Error('A page that is rendered beforehand stays where it is.');
}

/** Renders all public pages, with `originPlaceholder` in place of the site's address. */
export async function renderSite(): Promise<SiteText> {
  const paths = [...publicPageFiles.keys(), ...articles.map(({ slug }) => `/blog/${slug}`)];
  return {
    pages: await Promise.all(paths.map(render)),
    toolPages: await Promise.all(Array.from(toolPageFiles.keys(), renderTool)),
    files: { 'sitemap.xml': sitemap(paths), 'feed.xml': feed(), 'robots.txt': robots },
  };
}

async function render(path: string): Promise<RenderedPage> {
  const page = await loadPublicPage(path);
  if (page === null) throw new Error(`${path} has no page to render.`);
  return rendered(
    path,
    <PublicApp services={noServices} location={{ pathname: path }} navigator={nowhere}>
      {page}
    </PublicApp>,
  );
}

async function renderTool(path: string): Promise<RenderedPage> {
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  await routerReady(router);
  const source = { start: noServices.load, public: { ...noServices, begin: () => {} } };
  const page = rendered(path, <App source={source} router={router} />);
  router.dispose();
  return page;
}

function rendered(path: string, page: ReactNode): RenderedPage {
  const markup = renderToString(<StrictMode>{page}</StrictMode>);
  if (/<!--\$[?!]-->|<script/.test(markup)) {
    throw new Error(`${path} waits for something, or brings a script, which the content policy forbids.`);
  }
  // Metadata comes first.
  const [head = ''] = /^(?:<title[^>]*>[^<]*<\/title>|<(?:meta|link)\b[^>]*>)*/.exec(markup) ?? [];
  return { path, head, body: markup.slice(head.length) };
}

function sitemap(paths: readonly string[]): string {
  const dates = new Map(articles.map(({ slug, date }) => [`/blog/${slug}`, date]));
  const entries = paths.map((path) => {
    const date = dates.get(path);
    return `<url><loc>${originPlaceholder}${path}</loc>${date === undefined ? '' : `<lastmod>${date}</lastmod>`}</url>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('\n')}
</urlset>
`;
}

function feed(): string {
  const listed = articles
    .filter((article) => article.listed)
    .toSorted((a, b) => b.date.localeCompare(a.date));
  const entries = listed.map(
    ({ slug, title, excerpt, date, author }) => `  <entry>
    <title>${escaped(title)}</title>
    <link href="${originPlaceholder}/blog/${slug}"/>
    <id>${originPlaceholder}/blog/${slug}</id>
    <updated>${date}T00:00:00Z</updated>
    <author><name>${escaped(author)}</name></author>
    <summary>${escaped(excerpt)}</summary>
  </entry>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
  <title>Cellfolio: articles</title>
  <link href="${originPlaceholder}/blog"/>
  <link rel="self" href="${originPlaceholder}/feed.xml"/>
  <id>${originPlaceholder}/blog</id>
  <updated>${listed[0]?.date ?? '1970-01-01'}T00:00:00Z</updated>
${entries.join('\n')}
</feed>
`;
}

const robots = `User-agent: *
Disallow: /account
Disallow: /api/
Disallow: /auth
Disallow: /explorer
Disallow: /upload-data

Sitemap: ${originPlaceholder}/sitemap.xml
`;

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
