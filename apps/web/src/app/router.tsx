import { createBrowserRouter } from 'react-router';
import type { RouteObject } from 'react-router';
import { PageLoading } from './page-loading.tsx';
import { RouteFailed } from './route-failed.tsx';

/** Every page is a chunk of its own, loaded when it is opened. */
export const routes: RouteObject[] = [
  {
    errorElement: <RouteFailed />,
    HydrateFallback: PageLoading,
    children: [
      { path: 'auth', lazy: () => import('./routes/auth.tsx') },
      {
        lazy: () => import('./notices-layout.tsx'),
        children: [
          { index: true, lazy: () => import('./routes/landing.tsx') },
          { path: 'dataset-selector', lazy: () => import('./routes/dataset-selector.tsx') },
          { path: 'explorer', lazy: () => import('./routes/explorer.tsx') },
          { path: 'pricing', lazy: () => import('./routes/pricing.tsx') },
          { path: '*', lazy: () => import('./routes/not-found.tsx') },
        ],
      },
    ],
  },
];

export function createRouter() {
  return createBrowserRouter(routes);
}
