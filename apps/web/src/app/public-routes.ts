import type { RouteObject } from 'react-router';
import { articleRoutes } from '@/features/blog/index.ts';

/**
 * Public, prerendered pages; they load clients of the servers only on use. Of the data router's options each may only
 * have a `lazy` that returns its component or element. Paths and files are in prerendered-pages.ts, too.
 */
export const publicPages: readonly RouteObject[] = [
  { index: true, lazy: () => import('@/features/site/landing/landing-page.tsx') },
  { path: 'features', lazy: () => import('@/features/site/features-page.tsx') },
  { path: 'demo', lazy: () => import('@/features/site/demo-page.tsx') },
  { path: 'consulting', lazy: () => import('@/features/site/consulting-page.tsx') },
  { path: 'blog', lazy: () => import('@/features/blog/blog-page.tsx') },
  ...articleRoutes,
];

export const publicPagesWithNotices: readonly RouteObject[] = [
  { path: 'pricing', lazy: () => import('@/features/billing/pricing-page.tsx') },
  { path: 'contact', lazy: () => import('@/features/contact/contact-page.tsx') },
];
