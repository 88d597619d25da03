import { declarations } from '@cellfolio/analyses';
import { beforeAll, expect, test } from 'vitest';
import { callPaths, type OpenApi, slug } from './api-pages.ts';
import { cautionTemplate } from './caution-texts.ts';
import { makeSite, type Site, type SidebarItem, withLinks, writtenPages } from './site.ts';

let site: Site;

beforeAll(async () => {
  site = await makeSite();
});

const pathsOf = (items: readonly SidebarItem[]): string[] =>
  items.flatMap(({ link, items: inner = [] }) => [...(link === undefined ? [] : [link]), ...pathsOf(inner)]);
const fileAt = (path: string) => `${path.slice(1)}${path.endsWith('/') ? 'index' : ''}.md`;

test('the sidebar has each page once, and every page of docs has a place in it', async () => {
  const paths = pathsOf(site.sidebar);
  expect(new Set(paths).size).toBe(paths.length);
  const files = paths.map(fileAt);
  expect(files.toSorted()).toEqual([...site.pages.keys()].filter((file) => file !== 'index.md').toSorted());
  const written = await writtenPages();
  expect(written.length).toBeGreaterThan(40);
  for (const file of written)
    expect(files).toContain(file.replace(/^docs\//, '').replace('README.md', 'index.md'));
});

test('every declared analysis has a page with its fields, columns and cautions', () => {
  for (const { id, title, question, request, table, cautions } of declarations) {
    const page = site.pages.get(`analyses/${id}.md`) ?? '';
    expect(page).toContain(`# ${title}\n\n${question}`);
    for (const name of [...Object.keys(request.shape), ...Object.keys(table), ...Object.keys(cautions)])
      expect(page, id).toContain(`\`${name}\``);
  }
});

test('every call of the API has a place in the reference, with its fields and refusals', async () => {
  const { openApiDocument } = await import('@cellfolio/server/openapi');
  const { paths } = (await openApiDocument()) as OpenApi;
  const reference = [...site.pages].filter(([file]) => file.startsWith('reference/'));
  const text = reference.map(([, page]) => page).join('\n');
  for (const [path, methods] of Object.entries(paths))
    for (const method of Object.keys(methods))
      expect(text).toContain(`## \`${method.toUpperCase()} ${path}\``);
  const call = text.split('## ').find((part) => part.startsWith('`POST /api/perform-gradient-analysis`'));
  expect(call).toContain('| `degrees` | integer; 1 to 8; default `4` | Of the curve that is tested');
  expect(call).toContain('| 422 | ');
  expect(call).toContain('_Takes a personal key or a session._');
});

test('links lead to pages and headings of the site', () => {
  const anchors = new Map(
    [...site.pages].map(([file, page]) => [
      file,
      new Set(
        [...page.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
          slug(heading!),
        ),
      ),
    ]),
  );
  const broken = [...site.pages].flatMap(([file, page]) =>
    [...page.matchAll(/(?<!!)\]\((\/[^)#\s]*)?(#[^)\s]*)?\)/g)].flatMap(([, path, anchor]) => {
      const target = path === undefined ? file : fileAt(path);
      const isThere =
        anchors.has(target) && (anchor === undefined || anchors.get(target)!.has(anchor.slice(1)));
      return isThere ? [] : [`${file}: ${path ?? ''}${anchor ?? ''}`];
    }),
  );
  expect(broken).toEqual([]);
});

const api = {
  tags: [],
  paths: { '/api/links/{linkId}': { get: { summary: '', tags: ['links'], responses: {} } } },
  components: { schemas: {} },
};

test('links of a page become those of the site; what is no page stays as text, and code as it is', () => {
  const paths = new Map([
    ['docs/api.md', '/api'],
    ['docs/decisions/README.md', '/decisions/'],
  ]);
  const content = [
    '[a](api.md#x), [`b`](decisions), [c](../LICENSE), [d](https://example.org/api.md), [e](#here)',
    '`GET /api/links/{link}`, [`GET /api/links/{link}`](#here), `GET /api/none`',
    '',
    '![picture](../docs/one.svg)',
    '',
    '    [code](api.md)',
    '```sh',
    '[code](api.md)',
    '```',
  ].join('\n');
  expect(withLinks(content, 'docs/page.md', paths, callPaths(api))).toEqual({
    pictures: ['docs/one.svg'],
    text: content
      .replace('(api.md#x)', '(/api#x)')
      .replace('(decisions)', '(/decisions/)')
      .replace('[c](../LICENSE)', 'c')
      .replace('`GET /api/links/{link}`', '[`GET /api/links/{link}`](/reference/links#get-apilinkslinkid)')
      .replace('../docs/one.svg', './one.svg'),
  });
});

test('the sentence of a caution has the names of its numbers, and both forms where there are two', () => {
  const plural = (count: number, noun: string) => `${count} ${noun}`;
  expect(
    cautionTemplate(({ cells, isFew }: { cells: number; isFew: boolean }) => {
      const limit = isFew ? 1 : 2;
      return `${plural(cells, 'cell')} are ${isFew ? 'few' : 'many'} below ${limit}${cells > 2 ? '!' : ''}: check them.`;
    }),
  ).toBe('_cells_ cells are few / many below _limit_!: check them.');
  expect(cautionTemplate(() => String(plural(1, 'cell')))).toBe('');
});
