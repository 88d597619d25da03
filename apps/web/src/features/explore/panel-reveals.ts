import { useSyncExternalStore } from 'react';

type Reveals = Readonly<Record<string, number>>;

let reveals: Reveals = {};
const listeners = new Set<() => void>();

/** Opens a panel of the left column. */
export function revealPanel(title: string): void {
  // name-dictionary: by titles of ours
  reveals = { ...reveals, [title]: (reveals[title] ?? 0) + 1 };
  for (const listener of listeners) listener();
}

/** Shows the viewer where a full-screen result covers it. */
export function revealViewer(): void {
  for (const listener of listeners) listener();
}

/** Calls back when a panel or the viewer is revealed. */
export function onReveal(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How often each panel was revealed, by its title. */
export function usePanelReveals(): Reveals {
  return useSyncExternalStore(onReveal, () => reveals);
}
