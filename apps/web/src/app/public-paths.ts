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
