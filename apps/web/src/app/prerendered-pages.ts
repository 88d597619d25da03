/**
 * Pages that are rendered when the site is built, and the file in `src` that each is in; beside them the articles of the
 * blog (features/blog/articles.ts).
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
 * Pages of the tool that are rendered too, as they are for nobody in particular and before the services have started.
 */
export const toolPageFiles: ReadonlyMap<string, string> = new Map([
  ['/auth', 'features/auth/auth-page.tsx'],
  ['/dataset-selector', 'features/catalogue/dataset-selector-page.tsx'],
  ['/explorer', 'features/explore/explorer-page.tsx'],
]);
