import { useSyncExternalStore } from 'react';
import { themeStore } from './theme.ts';
import { useMediaQuery } from './use-media-query.ts';

/** The theme that the page is in: the chosen one, or that of the system. */
export function useShownTheme(): 'light' | 'dark' {
  const theme = useSyncExternalStore(themeStore.subscribe, themeStore.get);
  const system = useMediaQuery('(prefers-color-scheme: dark)') ? 'dark' : 'light';
  return theme === 'system' ? system : theme;
}
