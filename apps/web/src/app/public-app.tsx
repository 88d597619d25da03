import { Router } from 'react-router';
import type { Location, Navigator } from 'react-router';
import type { ReactNode } from 'react';
import { PublicServicesContext } from '@/lib/services.ts';
import type { PublicServices } from '@/lib/services.ts';
import { publicPages, publicPagesWithNotices } from './public-routes.ts';

interface PublicAppProps {
  services: PublicServices;
  location: Partial<Location>;
  navigator: Navigator;
  /** The page; see {@link loadPublicPage}. */
  children: ReactNode;
}

/** One public page by itself, as it is rendered beforehand and taken over in the browser. */
export function PublicApp({ services, location, navigator, children }: PublicAppProps) {
  return (
    <PublicServicesContext value={services}>
      <Router location={location} navigator={navigator}>
        {children}
      </Router>
    </PublicServicesContext>
  );
}

/** The page at an address with all of its code; `null` where no public page is. */
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
