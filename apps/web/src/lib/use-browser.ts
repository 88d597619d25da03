import { useSyncExternalStore } from 'react';
import { themeStore } from './theme.ts';

const never = () => () => {};

/**
 * `false` in the first render of a prerendered page, where browser state (storage, history) would cause a hydration
 * mismatch; then `true`.
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
    // Prerendered pages assume a wide window.
    () => false,
  );
}

export function useShownTheme(): 'light' | 'dark' {
  const theme = useSyncExternalStore(themeStore.subscribe, themeStore.get);
  const system = useMediaQuery('(prefers-color-scheme: dark)') ? 'dark' : 'light';
  return theme === 'system' ? system : theme;
}
