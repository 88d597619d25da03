import type { ReactNode } from 'react';
import { Router } from 'react-router';
import type { Location, Navigator, To } from 'react-router';
import { PublicServicesContext } from '@/lib/services.ts';
import type { PublicServices } from '@/lib/services.ts';
import { publicPages, publicPagesWithNotices } from './public-routes.ts';

interface PublicAppProps {
  services: PublicServices;
  location: Partial<Location>;
  navigator: Navigator;
  children: ReactNode;
}

export function PublicApp({ services, location, navigator, children }: PublicAppProps) {
  return (
    <PublicServicesContext value={services}>
      <Router location={location} navigator={navigator}>
        {children}
      </Router>
    </PublicServicesContext>
  );
}

/** The page at an address with all of its code; `null` if it is no public page. */
export async function loadPublicPage(pathname: string): Promise<ReactNode> {
  const path = pathname.replace(/^\/|\/+$/g, '');
  const isHere = (route: { index?: boolean | undefined; path?: string | undefined }) =>
    route.index === true ? path === '' : route.path === path;
  const plain = publicPages.find(isHere);
  const withNotices = publicPagesWithNotices.find(isHere);
  const lazy = (plain ?? withNotices)?.lazy;
  if (typeof lazy !== 'function') return null;
  const [{ Component, element }, notices] = await Promise.all([
    lazy(),
    withNotices === undefined ? null : import('./notices.tsx'),
  ]);
  const page = Component ? <Component /> : element;
  return notices === null ? page : <notices.Notices>{page}</notices.Notices>;
}

interface DocumentNavigation {
  navigator: Navigator;
  get: () => string;
  subscribe: (listener: () => void) => () => void;
}

/**
 * Public pages are documents: a link to another page loads it, which is fast because they are small, and needs no
 * router in the browser. Only the query changes within a document.
 */
export function createDocumentNavigation(): DocumentNavigation {
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  addEventListener('popstate', notify);
  const within = (to: To, change: 'pushState' | 'replaceState') => {
    const next = new URL(written(to), location.href);
    if (next.pathname !== location.pathname || next.hash !== '' || next.href === location.href) {
      if (change === 'pushState') location.assign(next);
      else location.replace(next);
      return;
    }
    history[change](null, '', next);
    notify();
  };
  return {
    get: () => location.href,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    navigator: {
      createHref: written,
      go: (steps) => history.go(steps),
      push: (to) => within(to, 'pushState'),
      replace: (to) => within(to, 'replaceState'),
    },
  };
}

function written(to: To): string {
  return typeof to === 'string' ? to : `${to.pathname ?? ''}${to.search ?? ''}${to.hash ?? ''}`;
}
