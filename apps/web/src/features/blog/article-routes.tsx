import type { MDXContent } from 'mdx/types';
import type { RouteObject } from 'react-router';
import type { Reference } from '@/content/blog/reference.ts';

type Text = [{ default: MDXContent }, { references: readonly Reference[] }];

/**
 * Text and references of each article, in separate chunks. Excludes all other article data, since the router is on
 * every page.
 */
const texts: Readonly<Record<string, () => Promise<Text>>> = {
  'umap-visualization-cell-state-manifold-geometry': () =>
    Promise.all([
      import('@/content/blog/umap-visualization-cell-state-manifold-geometry.mdx'),
      import('@/content/blog/umap-visualization-cell-state-manifold-geometry.references.ts'),
    ]),
  'single-cell-differential-expression-statistical-assumptions': () =>
    Promise.all([
      import('@/content/blog/single-cell-differential-expression-statistical-assumptions.mdx'),
      import('@/content/blog/single-cell-differential-expression-statistical-assumptions.references.ts'),
    ]),
  'batch-correction-scrna-seq-methods-comparison': () =>
    Promise.all([
      import('@/content/blog/batch-correction-scrna-seq-methods-comparison.mdx'),
      import('@/content/blog/batch-correction-scrna-seq-methods-comparison.references.ts'),
    ]),
  'detect-rare-cell-populations-without-overfitting': () =>
    Promise.all([
      import('@/content/blog/detect-rare-cell-populations-without-overfitting.mdx'),
      import('@/content/blog/detect-rare-cell-populations-without-overfitting.references.ts'),
    ]),
  'gene-signatures-context-specificity-challenges': () =>
    Promise.all([
      import('@/content/blog/gene-signatures-context-specificity-challenges.mdx'),
      import('@/content/blog/gene-signatures-context-specificity-challenges.references.ts'),
    ]),
  'top-5-single-cell-and-spatial-platform-alternatives': () =>
    Promise.all([
      import('@/content/blog/top-5-single-cell-and-spatial-platform-alternatives.mdx'),
      import('@/content/blog/top-5-single-cell-and-spatial-platform-alternatives.references.ts'),
    ]),
};

/** A route for each article, so that its text is loaded before its page is rendered; any other slug is not found. */
export const articleRoutes: RouteObject[] = [
  ...Object.entries(texts).map(([slug, load]): RouteObject => ({
    path: `blog/${slug}`,
    lazy: async () => {
      const [{ ArticlePage }, [{ default: Body }, { references }]] = await Promise.all([
        import('./article-page.tsx'),
        load(),
      ]);
      return { element: <ArticlePage slug={slug} Body={Body} references={references} /> };
    },
  })),
  {
    path: 'blog/:slug',
    lazy: async () => ({ Component: (await import('./article-page.tsx')).ArticleNotFound }),
  },
];
