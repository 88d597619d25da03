import { useEffect, useRef } from 'react';
import { Outlet, ScrollRestoration, useLocation } from 'react-router';

/** Above every page: a new page begins at its top, and going back leads to where one was. */
export function RootLayout() {
  return (
    <>
      <Outlet />
      <ScrollRestoration />
      <FocusOnArrival />
    </>
  );
}

/** Hands the focus to the new page when one follows a link, as loading a page would; a screen reader goes on there. */
function FocusOnArrival() {
  const { pathname } = useLocation();
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    document.getElementById('content')?.focus({ preventScroll: true });
  }, [pathname]);
  return null;
}
