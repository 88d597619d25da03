import { readStored, writeStored } from './stored-value.ts';

export type Theme = 'light' | 'dark' | 'system';

const key = 'cellfolio:theme';
const local = () => localStorage;

function storedTheme(): Theme {
  const stored = readStored(local, key);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

const listeners = new Set<() => void>();
let current: Theme | undefined;

export const themeStore = {
  get: (): Theme => (current ??= storedTheme()),
  set(theme: Theme): void {
    writeStored(local, key, theme);
    this.show(theme);
  },
  /** Without remembering it. */
  show(theme: Theme): void {
    current = theme;
    applyTheme();
    for (const listener of listeners) listener();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Sets the class that selects the colour tokens; `boot.js` does the same before the first paint. */
export function applyTheme(): void {
  const theme = themeStore.get();
  const dark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.classList.toggle('dark', dark);
}

/** Follows the system until the user chooses, from `boot.js` on: the system may have changed since. */
export function followSystemTheme(): void {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme);
  applyTheme();
}
