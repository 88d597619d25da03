import { createBrowserRouter } from 'react-router';
import type { DataRouter, RouteObject } from 'react-router';
import { PageLoading } from './page-loading.tsx';
import { RootLayout } from './root-layout.tsx';
import { RouteFailed } from './route-failed.tsx';
import { publicPages, publicPagesWithNotices } from './public-routes.ts';

/** Pages of the tool. */
const toolPages: RouteObject[] = [
  { path: 'dataset-selector', lazy: () => import('./routes/dataset-selector.tsx') },
  { path: 'account', lazy: () => import('./routes/account.tsx') },
  { path: 'upload-data', lazy: () => import('./routes/upload-data.tsx') },
  { path: 'explorer', lazy: () => import('./routes/explorer.tsx') },
  { path: 'l/:linkId', lazy: () => import('./routes/short-link.tsx') },
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
      { path: '*', lazy: () => import('./routes/not-found.tsx') },
      {
        lazy: () => import('./services-layout.tsx'),
        children: authPages,
      },
      {
        lazy: () => import('./notices-layout.tsx'),
        children: [
          ...publicPagesWithNotices,
          // Gone from the built site, and its code with it.
          ...(import.meta.env.DEV ? [{ path: 'design', lazy: () => import('./routes/design.tsx') }] : []),
          {
            lazy: () => import('./services-layout.tsx'),
            children: [{ lazy: () => import('./finished-jobs-layout.tsx'), children: toolPages }],
          },
        ],
      },
    ],
  },
];

export function createRouter() {
  return createBrowserRouter(routes);
}

/** Resolves when the code of the page that the router begins with is there. */
export function routerReady(router: DataRouter): Promise<void> {
  return new Promise((ready) => {
    if (router.state.initialized) return ready();
    const unsubscribe = router.subscribe(({ initialized }) => {
      if (!initialized) return;
      unsubscribe();
      ready();
    });
  });
}
