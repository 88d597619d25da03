import { type Camera, cameraOf, fit, pan, type Size, zoomAt } from '@cellfolio/map';
import type { Shortcut } from '@/lib/shortcuts.ts';
import type { MapScene } from './map-scene.ts';
import type { MapStore } from './map-store.ts';

interface MapKeyContext {
  store: MapStore;
  size: Size;
  scene: MapScene;
}

/** Returns the next camera, `null` if something else was done, `undefined` if the key is left to others. */
type MapKeyAction = (context: MapKeyContext) => Camera | null | undefined;

/** CSS pixels. */
const step = 60;
const panBy =
  (x: number, y: number): MapKeyAction =>
  ({ store, size }) =>
    pan(store.state.camera, { x, y }, size);
const zoomBy =
  (factor: number): MapKeyAction =>
  ({ store, size }) =>
    zoomAt(store.state.camera, factor, { x: size.width / 2, y: size.height / 2 }, size);

/** Keys of a map that has the focus. */
export const mapShortcuts: readonly Shortcut<MapKeyAction>[] = [
  { keys: [{ key: 'ArrowLeft' }], label: 'Move left', action: panBy(step, 0) },
  { keys: [{ key: 'ArrowRight' }], label: 'Move right', action: panBy(-step, 0) },
  { keys: [{ key: 'ArrowUp' }], label: 'Move up', action: panBy(0, step) },
  { keys: [{ key: 'ArrowDown' }], label: 'Move down', action: panBy(0, -step) },
  { keys: [{ key: '+' }, { key: '=' }], label: 'Zoom in', action: zoomBy(1.5) },
  { keys: [{ key: '-' }], label: 'Zoom out', action: zoomBy(1 / 1.5) },
  { keys: [{ key: '0' }], label: 'Show all cells', action: () => fit() },
  {
    keys: [{ key: 's' }],
    label: 'Zoom to the selected cells',
    action: ({ store, size, scene }) => {
      const { selection } = store.state;
      const box = selection === null ? undefined : scene.points.boundsOf(selection.bits);
      return box === undefined ? null : cameraOf(box, size);
    },
  },
  {
    keys: [{ key: 'Escape' }],
    label: 'Clear the selection',
    action: ({ store }) => {
      if (store.state.selection === null) return undefined;
      store.select(null);
      return null;
    },
  },
  {
    keys: [{ key: 'z', ctrl: true }],
    label: 'Undo the selection',
    action: ({ store }) => {
      store.undo();
      return null;
    },
  },
  {
    keys: [{ key: 'z', ctrl: true, shift: true }],
    label: 'Redo the selection',
    action: ({ store }) => {
      store.redo();
      return null;
    },
  },
];
