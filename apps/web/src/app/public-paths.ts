/** Pages that are rendered when the site is built, beside the articles of the blog (features/blog/articles.ts). */
export const publicPaths = [
  '/',
  '/features',
  '/pricing',
  '/demo',
  '/contact',
  '/consulting',
  '/blog',
] as const;

/**
 * Pages of the tool that are rendered too, as they are for nobody in particular and before the services have started.
 */
export const toolPaths = ['/auth', '/dataset-selector', '/explorer'] as const;
