/**
 * Prerendered public pages with their files in `src`; the articles of the blog are in features/blog/articles.ts.
 */
export const publicPageFiles: ReadonlyMap<string, string> = new Map([
  ['/', 'features/site/landing/landing-page.tsx'],
  ['/features', 'features/site/features-page.tsx'],
  ['/pricing', 'features/billing/pricing-page.tsx'],
  ['/demo', 'features/site/demo-page.tsx'],
  ['/contact', 'features/contact/contact-page.tsx'],
  ['/consulting', 'features/site/consulting-page.tsx'],
  ['/blog', 'features/blog/blog-page.tsx'],
]);

/**
 * Prerendered pages of the tool, as they are without a user and before the services have started.
 */
export const toolPageFiles: ReadonlyMap<string, string> = new Map([
  ['/auth', 'features/auth/auth-page.tsx'],
  ['/dataset-selector', 'features/catalogue/dataset-selector-page.tsx'],
  ['/explorer', 'features/explore/explorer-page.tsx'],
]);
