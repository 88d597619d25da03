import type { Navigator, To } from 'react-router';

/** The address of this document, in the shape of `useSyncExternalStore`, and what goes to others. */
export interface DocumentNavigation {
  navigator: Navigator;
  get: () => string;
  subscribe: (listener: () => void) => () => void;
}

/**
 * Public pages are documents: following a link to another loads it, which is as fast as they are small, and needs no
 * router in the browser. What follows the `?` changes within a document.
 */
export function createDocumentNavigation(): DocumentNavigation {
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  addEventListener('popstate', tell);
  const within = (to: To, change: 'pushState' | 'replaceState') => {
    const next = new URL(written(to), location.href);
    if (next.pathname !== location.pathname || next.hash !== '' || next.href === location.href) {
      if (change === 'pushState') location.assign(next);
      else location.replace(next);
      return;
    }
    history[change](null, '', next);
    tell();
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
