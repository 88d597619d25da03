import { maxViewerImages } from '@cellfolio/contract';
import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from '@/lib/stored-value.ts';

/** How many images the viewer can show at most, by choice of the user; the first is the default. */
export const viewerSizes: readonly number[] = [4, 6, 9, maxViewerImages];
export const defaultViewerSize = viewerSizes[0]!;

const key = 'cellfolio:viewer-size';
const local = () => localStorage;

const listeners = new Set<() => void>();
let current: number | undefined;

function storedSize(): number {
  const stored = Number(readStored(local, key));
  return viewerSizes.includes(stored) ? stored : defaultViewerSize;
}

function change(size: number): void {
  current = size;
  for (const listener of listeners) listener();
}

export const viewerSizeStore = {
  get: (): number => (current ??= storedSize()),
  set(size: number): void {
    writeStored(local, key, String(size));
    change(size);
  },
  /** Makes room for the images of an opened address, until the page is closed. */
  makeRoom(images: number): void {
    const size = viewerSizes.find((one) => one >= images) ?? maxViewerImages;
    if (size > viewerSizeStore.get()) change(size);
  },
  /** Reads the stored size again. */
  reset: (): void => change(storedSize()),
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Maximum number of images in the viewer. */
export function useViewerSize(): number {
  return useSyncExternalStore(viewerSizeStore.subscribe, viewerSizeStore.get);
}
