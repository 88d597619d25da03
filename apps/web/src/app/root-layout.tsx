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

/**
 * Hands the focus to the heading of the new page when one follows a link, as a screen reader would begin there after
 * loading a page. A page that is opened leaves it to the browser, and so does an address that names a part of a page.
 */
function FocusOnArrival() {
  const { pathname, hash } = useLocation();
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    if (hash === '') return followHeading();
    return undefined;
  }, [pathname, hash]);
  return null;
}

/**
 * Focuses the heading of the page, or all of it where it has none yet, and again when another takes its place while the
 * page loads: until the user does something. Returns what ends that.
 */
function followHeading(): () => void {
  let focused: HTMLElement | null = null;
  const follow = () => {
    if (focused?.isConnected === true && focused.tagName === 'H1') return;
    // Somebody else has it, such as a dialog.
    if (focused !== null && document.activeElement !== focused && document.activeElement !== document.body)
      return;
    const found = document.querySelector<HTMLElement>('#content h1') ?? document.getElementById('content');
    if (found === null || found === focused) return;
    if (!found.hasAttribute('tabindex')) found.tabIndex = -1;
    found.focus({ preventScroll: true });
    focused = found;
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
