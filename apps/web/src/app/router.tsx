import { createBrowserRouter, matchRoutes } from 'react-router';
import type { RouteObject } from 'react-router';
import { PageLoading } from './page-loading.tsx';
import { RootLayout } from './root-layout.tsx';
import { RouteFailed } from './route-failed.tsx';
import { articleRoutes } from '@/features/blog/article-routes.tsx';

/** Read by anybody, rendered when the site is built; they load no client of the servers before they need one. */
const publicPages: RouteObject[] = [
  { index: true, lazy: () => import('./routes/landing.tsx') },
  { path: 'features', lazy: () => import('./routes/features.tsx') },
  { path: 'demo', lazy: () => import('./routes/demo.tsx') },
  { path: 'consulting', lazy: () => import('./routes/consulting.tsx') },
  { path: 'blog', lazy: () => import('./routes/blog.tsx') },
  ...articleRoutes,
  { path: '*', lazy: () => import('./routes/not-found.tsx') },
];

const publicPagesWithNotices: RouteObject[] = [
  { path: 'pricing', lazy: () => import('./routes/pricing.tsx') },
  { path: 'contact', lazy: () => import('./routes/contact.tsx') },
];

/** Pages of the tool. */
const toolPages: RouteObject[] = [
  { path: 'dataset-selector', lazy: () => import('./routes/dataset-selector.tsx') },
  { path: 'account', lazy: () => import('./routes/account.tsx') },
  { path: 'explorer', lazy: () => import('./routes/explorer.tsx') },
];

/** Around signing in; light, and without notices. */
const authPages: RouteObject[] = [
  { path: 'auth', lazy: () => import('./routes/auth.tsx') },
  { path: 'auth/forgot-password', lazy: () => import('./routes/auth-forgot-password.tsx') },
  { path: 'auth/reset-password', lazy: () => import('./routes/auth-reset-password.tsx') },
  { path: 'auth/confirm', lazy: () => import('./routes/auth-confirm.tsx') },
  { path: 'auth/callback', lazy: () => import('./routes/auth-callback.tsx') },
];

/** Every page is a chunk of its own, loaded when it is opened. */
export const routes: RouteObject[] = [
  {
    Component: RootLayout,
    errorElement: <RouteFailed />,
    HydrateFallback: PageLoading,
    children: [
      ...publicPages,
      {
        lazy: () => import('./services-layout.tsx'),
        children: authPages,
      },
      {
        lazy: () => import('./notices-layout.tsx'),
        children: [
          ...publicPagesWithNotices,
          { lazy: () => import('./services-layout.tsx'), children: toolPages },
        ],
      },
    ],
  },
];

/** Loads the code of the page at an address, so that its first render is whole. */
export async function loadPage(pathname: string): Promise<void> {
  for (const { route } of matchRoutes(routes, pathname) ?? []) {
    if (typeof route.lazy !== 'function') continue;
    Object.assign(route, await route.lazy());
    delete route.lazy;
  }
}

export function createRouter() {
  return createBrowserRouter(routes);
}
