import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { analysisTasks, declarations } from '@cellfolio/analyses';
import { openApiDocument } from '@cellfolio/server/openapi';
import { analysesPage, analysisPage } from './analysis-pages.ts';
import { apiPages, callPaths, type OpenApi } from './api-pages.ts';

const project = fileURLToPath(new URL('../../..', import.meta.url));

/** A page that is written by hand: its file in the project, and its path on the site. */
interface Written {
  readonly file: string;
  readonly path: string;
  readonly title: string;
}
interface Link {
  readonly title: string;
  readonly path: string;
}
interface Section {
  readonly title: string;
  readonly pages: readonly (Written | Link)[];
}

const doc = (name: string, title: string): Written => ({ file: `docs/${name}.md`, path: `/${name}`, title });

/** The sections of the sidebar in their order. */
async function sectionsOf(reference: readonly Link[]): Promise<readonly Section[]> {
  return [
    {
      title: 'Start',
      pages: [
        doc('start', 'Start in five minutes'),
        { file: 'README.md', path: '/overview', title: 'Overview' },
      ],
    },
    {
      title: 'Use',
      pages: [
        doc('workflows', 'Workflows'),
        doc('ask', 'Ask a question'),
        doc('formats', 'Formats'),
        doc('assumptions', 'Assumptions'),
        doc('false-discoveries', 'False discoveries'),
        doc('agreement', 'Agreement with other libraries'),
        doc('links', 'Links'),
        doc('embedding', 'Embedding'),
      ],
    },
    {
      title: 'Analyses',
      pages: [
        { path: '/analyses/', title: 'All analyses' },
        ...Object.keys(analysisTasks).flatMap((task) =>
          declarations
            .filter((one) => one.task === task)
            .map(({ id, title }) => ({ path: `/analyses/${id}`, title })),
        ),
      ],
    },
    {
      title: 'Clients',
      pages: [
        { file: 'clients/python/README.md', path: '/python', title: 'Python' },
        { file: 'clients/r/README.md', path: '/r', title: 'R' },
      ],
    },
    { title: 'API', pages: [doc('api', 'Guide'), ...reference] },
    { title: 'Assistants', pages: [doc('assistants', 'Assistants')] },
    { title: 'Operate', pages: [doc('operate', 'Running it for others')] },
    {
      title: 'Security',
      pages: [
        doc('security', 'Threat model'),
        { file: 'SECURITY.md', path: '/report', title: 'Report a vulnerability' },
      ],
    },
    { title: 'Decisions', pages: await decisions() },
    {
      title: 'About',
      pages: [
        { file: 'CHANGELOG.md', path: '/changelog', title: 'Changelog' },
        doc('accessibility', 'Accessibility'),
      ],
    },
  ];
}

/** The list of decisions, and the pages that it lists; their titles are those of the list. */
async function decisions(): Promise<readonly Written[]> {
  const file = 'docs/decisions/README.md';
  const items = (await text(file)).matchAll(/^- \S+ \[(.+)\]\((.+)\.md\)$/gm);
  return [
    { file, path: '/decisions/', title: 'All decisions' },
    ...Array.from(items, ([, title = '', name = '']) => ({ ...doc(`decisions/${name}`, title) })),
  ];
}

/** A sidebar of VitePress. */
export interface SidebarItem {
  readonly text: string;
  readonly collapsed?: boolean;
  readonly items?: readonly SidebarItem[];
  readonly link?: string;
}

export interface Site {
  readonly sidebar: readonly SidebarItem[];
  /** Markdown of all pages by the names of their files. */
  readonly pages: ReadonlyMap<string, string>;
  /** Files of the project that are copied, by their names there. */
  readonly files: ReadonlyMap<string, string>;
}

/** All pages: those written by hand, with links between them as on the site, and those made from declarations. */
export async function makeSite(): Promise<Site> {
  const api = (await openApiDocument()) as OpenApi;
  const reference = apiPages(api);
  const sections = await sectionsOf(reference);
  const written = sections.flatMap((section) => section.pages).filter((page) => 'file' in page);
  const callOf = callPaths(api);
  const paths = new Map([
    ...written.map(({ file, path }): [string, string] => [file, path]),
    ['packages/analyses/src/all.ts', '/analyses/'],
    ...declarations.flatMap(({ id }): [string, string][] => [
      [`packages/analyses/src/${id}/declare.ts`, `/analyses/${id}`],
      [`docs/methods/${id}.md`, `/analyses/${id}`],
    ]),
  ]);
  const pages = new Map<string, string>();
  // The theme of a page before its first paint, as in the app.
  const files = new Map(
    ['boot.js', 'favicon.svg'].map((name) => [`public/${name}`, `apps/web/public/${name}`]),
  );
  const add = (path: string, content: string) => pages.set(fileOf(path), content);
  for (const { file, path } of written) {
    const linked = withLinks(await text(file), file, paths, callOf);
    for (const picture of linked.pictures)
      files.set(posix.join(dirname(path).slice(1), posix.basename(picture)), picture);
    add(path, linked.text);
  }
  for (const { path, text: content } of reference) add(path, content);
  add('/analyses/', analysesPage(declarations));
  for (const declaration of declarations) {
    const method = await methodOf(declaration.id, paths, callOf);
    const call = callOf(`POST ${declaration.path}`);
    if (call === undefined) throw new Error(`The API has no ${declaration.path}.`);
    add(`/analyses/${declaration.id}`, analysisPage(declaration, method, call));
  }
  add('/', homePage(sections));
  return { sidebar: sections.map(sidebarSection), pages, files };
}

async function methodOf(id: string, ...places: Places): Promise<string> {
  const file = `docs/methods/${id}.md`;
  if (!existsSync(join(project, file))) return '';
  const { text: content } = withLinks(await text(file), file, ...places);
  return content.replace(/^# .*\n+/, '').trim();
}

/** Sections of one page are a link, long ones are closed unless their page is open. */
function sidebarSection({ title, pages }: Section): SidebarItem {
  const items = pages.map((page) => ({ text: page.title, link: page.path }));
  return items.length === 1
    ? { text: title, link: items[0]!.link }
    : { text: title, items, collapsed: title === 'Decisions' };
}

function homePage(sections: readonly Section[]): string {
  const lists = sections.map(({ title, pages }) => {
    const shown = title === 'Decisions' ? pages.slice(0, 1) : pages;
    return `## ${title}\n\n${shown.map((page) => `- [${page.title}](${page.path})`).join('\n')}`;
  });
  return [
    '---\naside: false\n---',
    '# Cellfolio documentation',
    'Explore single-cell RNA data in the browser: any gene on a UMAP, in well under a second.',
    ...lists,
  ].join('\n\n');
}

function fileOf(path: string): string {
  return `${path.slice(1)}${path.endsWith('/') ? 'index' : ''}.md`;
}

/** Paths of pages by their files, and of calls of the API. */
type Places = readonly [paths: ReadonlyMap<string, string>, callOf: (call: string) => string | undefined];

/**
 * Links of a page that is written by hand, as on the site: to other pages by their paths, to files that are no pages as
 * text, and the pictures that it shows. A call of the API that is named becomes a link to its description.
 */
export function withLinks(
  content: string,
  file: string,
  ...[paths, callOf]: Places
): { readonly text: string; readonly pictures: readonly string[] } {
  const pictures: string[] = [];
  const outside = content.split(/(^```[\s\S]*?^```$|^(?: {4}.*\n?)+)/m);
  const changed = outside.map((part, i) =>
    i % 2 === 1 ? part : part.replaceAll(linkPattern, linkOf).replaceAll(callPattern, callLinkOf),
  );
  return { text: changed.join(''), pictures };

  function callLinkOf(whole: string, call: string): string {
    const place = callOf(call);
    return place === undefined ? whole : `[${whole}](${place})`;
  }

  function linkOf(whole: string, mark: string, label: string, target: string, anchor = ''): string {
    const path = target === '' ? file : posix.join(dirname(file), target);
    if (mark === '!') {
      pictures.push(path);
      return `![${label}](./${posix.basename(path)})`;
    }
    if (target === '') return whole;
    const page = paths.get(path) ?? paths.get(posix.join(path, 'README.md'));
    return page === undefined ? label : `[${label}](${page}${anchor})`;
  }
}

/** Links and pictures whose target is neither an address nor a path of a server. */
const linkPattern = /(!?)\[((?:[^\][]|\[[^\]]*\])*)\]\((?!https?:|mailto:|\/)([^)#\s]*)(#[^)\s]*)?\)/g;

/** A call in code that is no link yet. */
const callPattern = /(?<!\[)`((?:GET|POST|PUT|PATCH|DELETE) \/[^`\s]*)`(?!\])/g;

/** Files of `docs` that are pages of their own; methods are parts of the pages of analyses. */
export async function writtenPages(): Promise<readonly string[]> {
  const names = await readdir(join(project, 'docs'), { recursive: true });
  return names
    .filter((name) => name.endsWith('.md') && !name.startsWith('methods'))
    .map((name) => `docs/${name}`);
}

const text = (file: string) => readFile(join(project, file), 'utf8');
