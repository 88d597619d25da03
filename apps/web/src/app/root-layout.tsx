import { useEffect, useRef } from 'react';
import { Outlet, ScrollRestoration, useLocation } from 'react-router';

/** Above every page: scrolls a new page to its top, and restores the position on going back. */
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
