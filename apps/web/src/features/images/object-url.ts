import { useCallback, useSyncExternalStore } from 'react';

interface Held {
  url: string;
  holders: number;
}

/** Milliseconds that an address outlives its last holder: a card that moves between two places keeps its picture. */
const grace = 1000;
const held = new Map<Blob, Held>();

/** An address for a file, the same for all who show it, revoked when nobody does any more. */
export function useObjectUrl(file: Blob | null): string | null {
  const subscribe = useCallback(
    (changed: () => void) => {
      if (file === null) return () => {};
      hold(file);
      changed();
      return () => release(file);
    },
    [file],
  );
  return useSyncExternalStore(subscribe, () => (file === null ? null : (held.get(file)?.url ?? null)));
}

function hold(file: Blob): void {
  const entry = held.get(file) ?? { url: URL.createObjectURL(file), holders: 0 };
  entry.holders++;
  held.set(file, entry);
}

function release(file: Blob): void {
  const entry = held.get(file);
  if (entry === undefined) return;
  entry.holders--;
  setTimeout(() => {
    if (entry.holders > 0 || held.get(file) !== entry) return;
    held.delete(file);
    URL.revokeObjectURL(entry.url);
  }, grace);
}
