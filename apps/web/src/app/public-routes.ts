import type { RouteObject } from 'react-router';
import { articleRoutes } from '@/features/blog/article-routes.tsx';

/**
 * Read by anybody, rendered when the site is built; they load no client of the servers before they need one. Each has
 * a `lazy` that gives its component or element, and nothing else that only a data router understands.
 */
export const publicPages: readonly RouteObject[] = [
  { index: true, lazy: () => import('./routes/landing.tsx') },
  { path: 'features', lazy: () => import('./routes/features.tsx') },
  { path: 'demo', lazy: () => import('./routes/demo.tsx') },
  { path: 'consulting', lazy: () => import('./routes/consulting.tsx') },
  { path: 'blog', lazy: () => import('./routes/blog.tsx') },
  ...articleRoutes,
];

/** As those, but they raise notices. */
export const publicPagesWithNotices: readonly RouteObject[] = [
  { path: 'pricing', lazy: () => import('./routes/pricing.tsx') },
  { path: 'contact', lazy: () => import('./routes/contact.tsx') },
];
