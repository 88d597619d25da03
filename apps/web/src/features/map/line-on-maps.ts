import { useContext, useEffect } from 'react';
import type { MapLine } from './map-store.ts';
import { MapStoresContext } from './map-store.ts';

/** Draws a line over the live maps of a dataset while whoever asks for it is on the page; `undefined` draws none. */
export function useLineOnMaps(filename: string, line: MapLine | undefined): void {
  const store = useContext(MapStoresContext)?.(filename);
  const text = line && JSON.stringify(line);
  useEffect(() => {
    if (store === undefined || text === undefined) return undefined;
    store.set({ line: JSON.parse(text) as MapLine });
    return () => store.set({ line: null });
  }, [store, text]);
}
