import { createBrowserRouter, Outlet } from 'react-router';
import type { DataRouter, RouteObject } from 'react-router';
import { PageLoading } from '@/components/when-started.tsx';
import { publicPages, publicPagesWithNotices } from './public-routes.ts';
import { RootLayout } from './root-layout.tsx';
import { RouteFailed } from './route-failed.tsx';

const toolPages: RouteObject[] = [
  { path: 'dataset-selector', lazy: () => import('@/features/catalogue/dataset-selector-page.tsx') },
  { path: 'account', lazy: () => import('@/features/account/account-page.tsx') },
  { path: 'upload-data', lazy: () => import('@/features/uploads/upload-data-page.tsx') },
  { path: 'demo/explorer', lazy: () => import('@/features/explore/demo-explorer-page.tsx') },
  { path: 'explorer', lazy: () => import('@/features/explore/explorer-page.tsx') },
  { path: 'genes', lazy: () => import('@/features/gene-finder/gene-finder-page.tsx') },
  { path: 'l/:linkId', lazy: () => import('@/features/links/short-link-page.tsx') },
];

const authPages: RouteObject[] = [
  { path: 'auth', lazy: () => import('@/features/auth/auth-page.tsx') },
  { path: 'auth/forgot-password', lazy: () => import('@/features/auth/forgot-password-page.tsx') },
  { path: 'auth/reset-password', lazy: () => import('@/features/auth/reset-password-page.tsx') },
  { path: 'auth/confirm', lazy: () => import('@/features/auth/confirm-page.tsx') },
  { path: 'auth/callback', lazy: () => import('@/features/auth/callback-page.tsx') },
];

const services: RouteObject = { lazy: () => import('./services-layout.tsx') };

/** Pages that show notices; a notice survives navigation between them. */
const notices: RouteObject = {
  lazy: async () => {
    const { Notices } = await import('./notices.tsx');
    return {
      element: (
        <Notices>
          <Outlet />
        </Notices>
      ),
    };
  },
};

const finishedJobs: RouteObject = { lazy: () => import('@/features/uploads/jobs/finished-jobs-layout.tsx') };

/** Every page is a chunk, loaded when opened. */
export const routes: RouteObject[] = [
  {
    Component: RootLayout,
    errorElement: <RouteFailed />,
    HydrateFallback: PageLoading,
    children: [
      ...publicPages,
      { path: 'account-deleted', lazy: () => import('@/features/account/account-deleted-page.tsx') },
      { path: '*', lazy: () => import('./not-found-page.tsx') },
      { ...services, children: authPages },
      {
        ...notices,
        children: [
          ...publicPagesWithNotices,
          { ...services, children: [{ ...finishedJobs, children: toolPages }] },
        ],
      },
    ],
  },
];

export function createRouter() {
  return createBrowserRouter(routes);
}

/** Resolves when the code of the first page is loaded. */
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
