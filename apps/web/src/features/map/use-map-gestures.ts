import type { Camera, Layer, Place, Size } from '@cellfolio/map';
import { gridPlace, pan, zoomAt } from '@cellfolio/map';
import type { KeyboardEvent, PointerEvent, RefObject } from 'react';
import { useEffect, useRef, useState } from 'react';
import { actionOf } from '@/lib/shortcuts.ts';
import type { SelectionChange } from './cell-bits.ts';
import { changedSelection, shownAmong } from './cell-bits.ts';
import type { MapScene } from './map-scene.ts';
import { mapShortcuts } from './map-shortcuts.ts';
import type { MapStore, MapTool } from './map-store.ts';
import { clickMoves, reach, useMapPick } from './use-map-pick.ts';

interface Drag {
  /** `line` draws a line between two points, for a pick. */
  tool: MapTool | 'line';
  /** Screen coordinates; the two corners for a box. */
  path: Place[];
}

interface MapGestures {
  card: string;
  scene: MapScene;
  store: MapStore;
  layer: Layer;
  size: Size;
  element: RefObject<HTMLElement | null>;
}

export function useMapGestures({ card, scene, store, layer, size, element }: MapGestures) {
  const pointers = useRef(new Map<number, Place>());
  const drag = useRef<Drag | null>(null);
  const [drawn, setDrawn] = useState<readonly Place[]>([]);
  const picking = useMapPick({ scene, store, layer, size });
  const setCamera = (camera: Camera) => store.set({ camera });
  useWheel({ store, size, element });

  const select = async (polygon: Float32Array, change: SelectionChange) => {
    const bits = await scene.select(polygon, size).catch(() => undefined);
    if (bits === undefined) return;
    store.select(changedSelection(store.state.selection, shownAmong(bits, layer), change));
  };

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button > 1) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const at = placeOf(event, event.currentTarget);
    pointers.current.set(event.pointerId, at);
    const moves = event.button === 1 || pointers.current.size > 1 || picking.pick?.of === 'cell';
    const tool = picking.pick?.of === 'line' ? 'line' : store.state.tool;
    drag.current = { tool: moves ? 'pan' : tool, path: [at] };
    setDrawn([]);
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const at = placeOf(event, event.currentTarget);
    const before = pointers.current.get(event.pointerId);
    if (before === undefined || drag.current === null) {
      if (event.pointerType === 'mouse') hover(at);
      picking.moved(at);
      return;
    }
    pointers.current.set(event.pointerId, at);
    const { tool, path } = drag.current;
    if (pointers.current.size === 2) return pinch(event.pointerId, before, at);
    if (tool === 'pan') {
      path[1] = at;
      setCamera(pan(store.state.camera, { x: at.x - before.x, y: at.y - before.y }, size));
      return;
    }
    if (tool === 'line') {
      path[1] = at;
      return picking.moved(at, path[0]);
    }
    drag.current.path = tool === 'box' ? [path[0]!, at] : [...path, at];
    setDrawn(outline(drag.current));
  };
  const pinch = (id: number, before: Place, now: Place) => {
    const [other] = [...pointers.current].filter(([pointer]) => pointer !== id).map(([, place]) => place);
    setCamera(pinched(store.state.camera, { before, now, other: other! }, size));
  };
  const onPointerUp = (event: PointerEvent<HTMLElement>) => {
    pointers.current.delete(event.pointerId);
    const ended = drag.current;
    drag.current = pointers.current.size > 0 ? { tool: 'pan', path: [] } : null;
    setDrawn([]);
    if (ended === null || event.type === 'pointercancel') return;
    if (picking.pick !== null && event.button === 0 && pointers.current.size === 0)
      return picking.released(ended.path);
    if (ended.tool === 'pan' || ended.tool === 'line') return;
    const change = changeOf(event);
    if (extentOf(ended.path) < clickMoves) {
      // A click beside the cells lets go of them.
      if (change === 'replace') store.select(null);
      return;
    }
    const corners = outline(ended).map((place) => gridPlace(place, store.state.camera, size));
    void select(Float32Array.from(corners.flatMap(({ x, y }) => [x, y])), change);
  };
  const hover = (at: Place) => {
    const cell = scene.nearest(at, size, reach, layer);
    if (cell !== store.state.hovered) store.set({ hovered: cell, hoveredCard: card });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const camera = actionOf(mapShortcuts, event)?.({ store, size, scene });
    if (camera === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (camera !== null) setCamera(camera);
  };
  return {
    drawn,
    pick: picking.pick,
    line: picking.line,
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerCancel: onPointerUp,
      onPointerLeave: () => store.state.hovered >= 0 && store.set({ hovered: -1 }),
      onDoubleClick: (event: React.MouseEvent<HTMLElement>) => {
        if (store.state.tool === 'pan' && picking.pick === null)
          setCamera(zoomAt(store.state.camera, 2, placeOf(event, event.currentTarget), size));
      },
      onKeyDown,
    },
  };
}

function pinched(
  camera: Camera,
  { before, now, other }: { before: Place; now: Place; other: Place },
  size: Size,
): Camera {
  const between = (a: Place) => Math.max(1, Math.hypot(a.x - other.x, a.y - other.y));
  const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
  const moved = pan(camera, { x: (now.x - before.x) / 2, y: (now.y - before.y) / 2 }, size);
  return zoomAt(moved, between(now) / between(before), middle, size);
}

function useWheel({ store, size, element }: Pick<MapGestures, 'store' | 'size' | 'element'>): void {
  const latest = useRef({ size, store });
  useEffect(() => {
    latest.current = { size, store };
  });
  useEffect(() => {
    const target = element.current;
    if (target === null) return;
    // React listens to wheels passively: the page would scroll.
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const { size: now, store: at } = latest.current;
      const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 * event.deltaY : event.deltaY;
      const factor = 2 ** (-Math.min(200, Math.max(-200, pixels)) / (event.ctrlKey ? 100 : 300));
      at.set({ camera: zoomAt(at.state.camera, factor, placeOf(event, target), now) });
    };
    target.addEventListener('wheel', onWheel, { passive: false });
    return () => target.removeEventListener('wheel', onWheel);
  }, [element]);
}

function placeOf({ clientX, clientY }: { clientX: number; clientY: number }, element: HTMLElement): Place {
  const { left, top } = element.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
}

function changeOf({ shiftKey, altKey }: { shiftKey: boolean; altKey: boolean }): SelectionChange {
  return altKey ? 'remove' : shiftKey ? 'add' : 'replace';
}

function extentOf(path: readonly Place[]): number {
  const first = path[0]!;
  return Math.max(...path.map(({ x, y }) => Math.hypot(x - first.x, y - first.y)));
}

function outline({ tool, path }: Drag): Place[] {
  const [from, to = from] = path;
  if (tool !== 'box' || from === undefined || to === undefined) return path;
  return [from, { x: to.x, y: from.y }, to, { x: from.x, y: to.y }];
}
