import {
  createBrowserRouter,
  Outlet,
  type DataRouter,
  type RouteObject,
  useRouteError,
  ScrollRestoration,
  useLocation,
} from 'react-router';
import { useEffect, useRef } from 'react';
import { PageLoading } from '@/components/when-started.tsx';
import { Button } from '@/components/ui/button.tsx';
import { publicPages, publicPagesWithNotices } from './public-routes.ts';

/** Above every page: scrolls a new page to its top, and restores the position on going back. */
function RootLayout() {
  return (
    <>
      <Outlet />
      <ScrollRestoration />
      <FocusOnArrival />
    </>
  );
}

/**
 * Focuses the heading of the new page after a link, where a screen reader would start after loading a page. The first
 * page and an address with a fragment leave the focus to the browser.
 */
function FocusOnArrival() {
  const { pathname, search, hash } = useLocation();
  // Datasets of users share the path of the explorer: from one to another is a new page, too.
  const page = `${pathname} ${new URLSearchParams(search).get('customFileId') ?? ''}`;
  const last = useRef(page);
  useEffect(() => {
    if (last.current === page) return;
    last.current = page;
    if (hash === '') return followHeading();
    return undefined;
  }, [page, hash]);
  return null;
}

/**
 * Focuses the heading of the page, or the page while it has none, and again when the heading is replaced during
 * loading, until the user interacts. Returns a function that stops this.
 */
function followHeading(): () => void {
  let focused: HTMLElement | null = null;
  const follow = () => {
    if (focused?.isConnected === true && focused.tagName === 'H1') return;
    // Something else has the focus, such as a dialog.
    if (focused !== null && document.activeElement !== focused && document.activeElement !== document.body)
      return;
    const target = document.querySelector<HTMLElement>('#content h1') ?? document.getElementById('content');
    if (target === null || target === focused) return;
    if (!target.hasAttribute('tabindex')) target.tabIndex = -1;
    target.focus({ preventScroll: true });
    focused = target;
  };
  const observer = new MutationObserver(follow);
  const ended = new AbortController();
  const end = () => {
    observer.disconnect();
    ended.abort();
  };
  for (const event of ['keydown', 'pointerdown']) addEventListener(event, end, { signal: ended.signal });
  observer.observe(document.body, { childList: true, subtree: true });
  follow();
  return end;
}

/** The outermost error boundary: the code of a page did not load, or it failed outside its regions. */
function RouteFailed() {
  const error = useRouteError();
  useEffect(() => console.error(error), [error]);
  return (
    <main
      role="alert"
      className="mx-auto flex min-h-dvh max-w-md flex-col items-start justify-center gap-4 p-6"
    >
      <h1 className="text-xl font-semibold">This page could not be shown</h1>
      <p className="text-muted">
        It may have been updated while it was open, or the connection was lost. Reloading it usually helps.
      </p>
      <div className="flex gap-2">
        <Button onClick={() => location.reload()}>Refresh Page</Button>
        <Button variant="secondary" asChild>
          <a href="/">Return to Home</a>
        </Button>
      </div>
    </main>
  );
}

const toolPages: RouteObject[] = [
  { path: 'dataset-selector', lazy: () => import('@/features/catalogue/dataset-selector-page.tsx') },
  { path: 'account', lazy: () => import('@/features/account/account-page.tsx') },
  { path: 'upload-data', lazy: () => import('@/features/uploads/upload-data-page.tsx') },
  { path: 'demo/explorer', lazy: () => import('@/features/explore/demo-explorer-page.tsx') },
  { path: 'explorer', lazy: () => import('@/features/explore/explorer-page.tsx') },
  { path: 'genes', lazy: () => import('@/features/gene-finder/gene-finder-page.tsx') },
  { path: 'oauth/authorize', lazy: () => import('@/features/account/connect-app-page.tsx') },
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

const commands: RouteObject = { lazy: () => import('@/features/commands/commands-layout.tsx') };

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
          { ...services, children: [{ ...finishedJobs, children: [{ ...commands, children: toolPages }] }] },
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
