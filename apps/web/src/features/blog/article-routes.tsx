import type { MDXContent } from 'mdx/types';
import type { RouteObject } from 'react-router';

/** The text of each article, a chunk of its own. Without what else is known of them: the router is in every page. */
const bodies: Readonly<Record<string, () => Promise<{ default: MDXContent }>>> = {
  'umap-visualization-cell-state-manifold-geometry': () =>
    import('@/content/blog/umap-visualization-cell-state-manifold-geometry.mdx'),
  'single-cell-differential-expression-statistical-assumptions': () =>
    import('@/content/blog/single-cell-differential-expression-statistical-assumptions.mdx'),
  'batch-correction-scrna-seq-methods-comparison': () =>
    import('@/content/blog/batch-correction-scrna-seq-methods-comparison.mdx'),
  'detect-rare-cell-populations-without-overfitting': () =>
    import('@/content/blog/detect-rare-cell-populations-without-overfitting.mdx'),
  'gene-signatures-context-specificity-challenges': () =>
    import('@/content/blog/gene-signatures-context-specificity-challenges.mdx'),
  'top-5-single-cell-and-spatial-platform-alternatives': () =>
    import('@/content/blog/top-5-single-cell-and-spatial-platform-alternatives.mdx'),
};

/** A route for each article, so that its text is there before its page is rendered; any other slug is not found. */
export const articleRoutes: RouteObject[] = [
  ...Object.entries(bodies).map(([slug, load]): RouteObject => ({
    path: `blog/${slug}`,
    lazy: async () => {
      const [{ ArticlePage }, { default: Body }] = await Promise.all([import('./article-page.tsx'), load()]);
      return { element: <ArticlePage slug={slug} Body={Body} /> };
    },
  })),
  {
    path: 'blog/:slug',
    lazy: async () => ({ Component: (await import('./article-not-found.tsx')).ArticleNotFound }),
  },
];
