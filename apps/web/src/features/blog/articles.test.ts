import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { articleSource, citedIn, panelsOf, wordsOf } from './article-text.test-data.ts';
import { articleRoutes } from './article-routes.tsx';
import { articles, covers, listedArticles } from './articles.ts';
import type { Reference } from '@/content/blog/reference.ts';
import { addressOf } from '@/content/blog/reference.ts';

const referencesOf = new Map(
  Object.entries(
    import.meta.glob<{ references: readonly Reference[] }>('../../content/blog/*.references.ts', {
      eager: true,
    }),
  ).map(([path, module]) => [/([\w-]+)\.references\.ts$/.exec(path)?.[1], module.references]),
);
const figures = join(import.meta.dirname, '../../../public/blog');

function sizeOfPng(name: string): { width: number; height: number; bytes: number } {
  const file = join(figures, `${name}.png`);
  const png = readFileSync(file);
  expect(png.toString('latin1', 1, 4)).toBe('PNG');
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20), bytes: statSync(file).size };
}

test('five articles are listed, newest first, and the comparison of tools is not among them', () => {
  expect(listedArticles.map(({ slug }) => slug).toSorted()).toEqual([
    'batch-correction-scrna-seq-methods-comparison',
    'detect-rare-cell-populations-without-overfitting',
    'gene-signatures-context-specificity-challenges',
    'single-cell-differential-expression-statistical-assumptions',
    'umap-visualization-cell-state-manifold-geometry',
  ]);
  const dates = articles.map(({ date }) => date);
  expect(dates).toEqual(dates.toSorted().toReversed());
  for (const date of dates) expect(new Date(date).toISOString().slice(0, 10)).toBe(date);
});

test('ids and slugs are unique, and every article is led to from another', () => {
  expect(new Set(articles.map(({ slug }) => slug)).size).toBe(articles.length);
  expect(new Set(articles.map(({ id }) => id)).size).toBe(articles.length);
  const led = new Set(articles.flatMap(({ related }) => related));
  expect(articles.map(({ slug }) => slug).filter((slug) => !led.has(slug))).toEqual([]);
  expect([...led].filter((slug) => !articles.some((article) => article.slug === slug))).toEqual([]);
});

test('every article has a route of its own before the one for unknown slugs', () => {
  const paths = articleRoutes.map(({ path }) => path);
  expect(paths.slice(0, -1).toSorted()).toEqual(articles.map(({ slug }) => `blog/${slug}`).toSorted());
  expect(paths.at(-1)).toBe('blog/:slug');
});

test('every listed article has a cover of 6 to 5, or of the shape of a chart', () => {
  for (const { slug } of listedArticles) {
    const cover = covers.get(slug);
    expect(cover, slug).toBeDefined();
    expect(sizeOfPng(cover!).width).toBe(1200);
  }
});

describe.each(articles.map((article) => [article.slug, article] as const))('%s', (slug, article) => {
  const source = articleSource(slug);

  test('it has 1,200 to 2,000 words, and its reading time is made from them', () => {
    const words = wordsOf(source);
    expect(words).toBeGreaterThanOrEqual(1200);
    expect(words).toBeLessThanOrEqual(2000);
    expect(article.words).toBe(words);
    expect(article.readTime).toBe(`${Math.round(words / 200)} min read`);
  });

  test('it cites six to fourteen works, each with a DOI or an address, and lists them in the order of the text', () => {
    const references = referencesOf.get(slug) ?? [];
    expect(references.map(({ key }) => key)).toEqual(citedIn(source));
    expect(references.length).toBeGreaterThanOrEqual(6);
    expect(references.length).toBeLessThanOrEqual(14);
    for (const reference of references) {
      expect(addressOf(reference), reference.key).toMatch(
        /^https:\/\/(doi\.org\/10\.\d{4,5}|arxiv\.org\/abs|www\.jmlr\.org)\/\S+$/,
      );
      for (const text of [reference.authors, reference.title, reference.journal]) expect(text).not.toBe('');
    }
  });

  test('its pictures exist, are small, and have the size that is reserved for them', () => {
    const panels = panelsOf(source);
    expect(panels.length).toBeGreaterThanOrEqual(2);
    for (const { name, width, height, alt } of panels) {
      const size = sizeOfPng(name);
      expect([size.width, size.height], name).toEqual([2 * width, 2 * height]);
      expect(size.bytes, name).toBeLessThanOrEqual(120_000);
      expect(alt.length, name).toBeGreaterThan(20);
    }
  });

  test('its sections can be linked to, each by its own anchor', () => {
    const headings = Array.from(source.matchAll(/^## (.+)$/gm), ([, text]) => text);
    expect(headings.length).toBeGreaterThanOrEqual(4);
    expect(new Set(headings).size).toBe(headings.length);
  });
});

test('every picture is shown by an article', () => {
  const shown = new Set([
    ...articles.flatMap(({ slug }) => panelsOf(articleSource(slug)).map(({ name }) => `${name}.png`)),
    ...[...covers.values()].map((name) => `${name}.png`),
  ]);
  expect(readdirSync(figures).filter((file) => !shown.has(file))).toEqual([]);
});
