import { useSyncExternalStore } from 'react';
import { themeStore } from './theme.ts';

const never = () => () => {};

/**
 * `false` in the first render of a page that was rendered when the site was built: what only this browser knows (its
 * storage, its history) would differ from what stands there. From then on `true`.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    () => matchMedia(query).matches,
    // A page that was rendered beforehand was rendered for a wide window.
    () => false,
  );
}

/** The theme that the page is in: the chosen one, or that of the system. */
export function useShownTheme(): 'light' | 'dark' {
  const theme = useSyncExternalStore(themeStore.subscribe, themeStore.get);
  const system = useMediaQuery('(prefers-color-scheme: dark)') ? 'dark' : 'light';
  return theme === 'system' ? system : theme;
}
