import { maxViewerImages } from '@cellfolio/contract';
import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from '@/lib/stored-value.ts';

/** How many images the viewer can show at most, by choice of the user; the first is the default. */
export const viewerSizes: readonly number[] = [4, 6, 9, maxViewerImages];
export const defaultViewerSize = viewerSizes[0]!;

const key = 'cellfolio:viewer-size';
const local = () => localStorage;

const listeners = new Set<() => void>();
/** The user's own choice; undefined until read. */
let own: number | undefined;
/** Size that an opened address needs; 0 without one. */
let needed = 0;

function storedSize(): number {
  const stored = Number(readStored(local, key));
  return viewerSizes.includes(stored) ? stored : defaultViewerSize;
}

function notify(): void {
  for (const listener of listeners) listener();
}

export const viewerSizeStore = {
  get: (): number => Math.max((own ??= storedSize()), needed),
  set(size: number): void {
    writeStored(local, key, String(size));
    own = size;
    needed = 0;
    notify();
  },
  /** Makes room for the images of an opened address, until `reset`. */
  makeRoom(images: number): void {
    needed = viewerSizes.find((one) => one >= images) ?? maxViewerImages;
    notify();
  },
  /** Goes back to the user's own size. */
  reset(): void {
    needed = 0;
    notify();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Maximum number of images in the viewer. */
export function useViewerSize(): number {
  return useSyncExternalStore(viewerSizeStore.subscribe, viewerSizeStore.get);
}
