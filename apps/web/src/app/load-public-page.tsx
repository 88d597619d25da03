import type { ReactNode } from 'react';
import { publicPages, publicPagesWithNotices } from './public-routes.ts';

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
