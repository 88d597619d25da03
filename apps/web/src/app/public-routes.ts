import type { RouteObject } from 'react-router';
import { articleRoutes } from '@/features/blog/index.ts';

/**
 * Read by anybody, rendered when the site is built; they load no client of the servers before they need one. Each has
 * a `lazy` that gives its component or element, and nothing else that only a data router understands. The path of each
 * and its file are in prerendered-pages.ts, too.
 */
export const publicPages: readonly RouteObject[] = [
  { index: true, lazy: () => import('@/features/site/landing/landing-page.tsx') },
  { path: 'features', lazy: () => import('@/features/site/features-page.tsx') },
  { path: 'demo', lazy: () => import('@/features/site/demo-page.tsx') },
  { path: 'consulting', lazy: () => import('@/features/site/consulting-page.tsx') },
  { path: 'blog', lazy: () => import('@/features/blog/blog-page.tsx') },
  ...articleRoutes,
];

/** As those, but they raise notices. */
export const publicPagesWithNotices: readonly RouteObject[] = [
  { path: 'pricing', lazy: () => import('@/features/billing/pricing-page.tsx') },
  { path: 'contact', lazy: () => import('@/features/contact/contact-page.tsx') },
];
