import type { Layer, Place, Size } from '@cellfolio/map';
import { gridPlace } from '@cellfolio/map';
import { useRef, useState } from 'react';
import type { MapScene } from './map-scene.ts';
import type { MapStore } from './map-store.ts';
import { useMapState } from './map-store.ts';

/** Radius around the pointer, in CSS pixels, in which a cell is picked. */
export const reach = 12;
/** Maximum pointer movement during a click, in CSS pixels. */
export const clickMoves = 4;

export interface GridLine {
  from: Place;
  to: Place;
}

interface MapPickOptions {
  scene: MapScene;
  store: MapStore;
  layer: Layer;
  size: Size;
}

/** Pointer handling while a cell or a line is picked: a line is a drag, or a click at each of its ends. */
export function useMapPick({ scene, store, layer, size }: MapPickOptions) {
  const pick = useMapState(store, (state) => state.pick);
  const first = useRef<{ id: string; at: Place } | null>(null);
  const [line, setLine] = useState<(GridLine & { id: string }) | null>(null);
  const onGrid = (at: Place) => gridPlace(at, store.state.camera, size);
  const firstOf = (id: string) => (first.current?.id === id ? first.current.at : undefined);

  const moved = (at: Place, from?: Place) => {
    if (pick?.of !== 'line') return;
    const start = firstOf(pick.id) ?? (from && onGrid(from));
    setLine(start === undefined ? null : { id: pick.id, from: start, to: onGrid(at) });
  };
  const released = (path: readonly Place[]) => {
    const [from, to = from] = path;
    if (pick === null || from === undefined || to === undefined) return;
    const isClick = Math.hypot(to.x - from.x, to.y - from.y) < clickMoves;
    if (pick.of === 'cell') {
      const cell = isClick ? scene.nearest(to, size, reach, layer) : -1;
      if (cell < 0) return;
      store.set({ pick: null });
      pick.onPicked(cell);
      return;
    }
    const start = firstOf(pick.id) ?? (isClick ? undefined : onGrid(from));
    if (start === undefined) {
      first.current = { id: pick.id, at: onGrid(to) };
      return;
    }
    // A second click on the first end is no line.
    if (firstOf(pick.id) !== undefined && distance(start, onGrid(to)) === 0) return;
    first.current = null;
    setLine(null);
    store.set({ pick: null });
    pick.onPicked(scene.pointAt(start), scene.pointAt(onGrid(to)), store.state.embedding);
  };
  return {
    pick,
    line: pick !== null && line?.id === pick.id ? line : null,
    moved,
    released,
  };
}

function distance(a: Place, b: Place): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
