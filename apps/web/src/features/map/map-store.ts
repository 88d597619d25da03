import { type Camera, fit } from '@cellfolio/map';
import type { FigureContent } from '@cellfolio/contract';
import { createContext, useContext, useEffect, useSyncExternalStore } from 'react';
import type { CellSelection } from './cell-bits.ts';

/** What a pointer does on the maps. */
export type MapTool = 'pan' | 'lasso' | 'box';

/** An embedding and two of its axes, from 0. */
export interface ChosenEmbedding {
  readonly name: string;
  readonly axes: readonly [number, number];
}

/** How one card shows its map: what is not said is as in the figure. */
export interface CardLook {
  /** A column of obs instead of what the image shows. */
  readonly content?: Extract<FigureContent, { kind: 'obs-umap' }>;
  /** Slots of the legend that are hidden, by their key. */
  readonly hidden?: readonly string[];
  /** Ends of the colour bar. */
  readonly range?: readonly [number, number];
  /** Colours by log(1 + value). */
  readonly log?: boolean;
  /** Column of obs whose categories have a small map each. */
  readonly split?: string;
}

/** The card of the map of the whole dataset, which is always in the library. */
export const defaultCard = 'default';

/** A place on an embedding, in its coordinates. */
export type MapPoint = readonly [x: number, y: number];

/** What is to be pointed at on the maps, which neither select nor lasso meanwhile. */
export type MapPick = {
  /** Tells it apart from others. */
  readonly id: string;
  /** What to do, in a sentence over the maps. */
  readonly prompt: string;
} & (
  | {
      readonly of: 'cell';
      /** @param place of the cell in map order */
      readonly onPicked: (place: number) => void;
    }
  | {
      readonly of: 'line';
      /** @param embedding that it was drawn on; null for that of the figures */
      readonly onPicked: (from: MapPoint, to: MapPoint, embedding: ChosenEmbedding | null) => void;
    }
);

/** A line that is drawn over the maps of an embedding. */
interface MapLine {
  readonly from: MapPoint;
  readonly to: MapPoint;
  /** A key of obsm. */
  readonly embedding: string;
  /** Whether that is the one of the figures. */
  readonly isDefault: boolean;
}

/** What the maps of one dataset share. */
export interface MapState {
  readonly camera: Camera;
  readonly tool: MapTool;
  readonly density: boolean;
  /** `null` for that of the figures. */
  readonly embedding: ChosenEmbedding | null;
  readonly selection: CellSelection | null;
  readonly past: readonly (CellSelection | null)[];
  readonly future: readonly (CellSelection | null)[];
  /** The cell under the pointer, by its place in map order; -1 for none. */
  readonly hovered: number;
  /** The card that the pointer is on. */
  readonly hoveredCard: string | null;
  /** What is being pointed at; `null` for nothing. */
  readonly pick: MapPick | null;
  readonly line: MapLine | null;
  /** By card. */
  readonly looks: ReadonlyMap<string, CardLook>;
}

const initial: MapState = {
  camera: fit(),
  tool: 'pan',
  density: false,
  embedding: null,
  selection: null,
  past: [],
  future: [],
  hovered: -1,
  hoveredCard: null,
  pick: null,
  line: null,
  looks: new Map(),
};

/** Selections that can be undone. A million cells take 125 kB each. */
const maxPast = 50;

/** The state that the linked maps of one dataset share: one camera, one selection, one cell under the pointer. */
export class MapStore {
  #state = initial;
  readonly #listeners = new Set<() => void>();

  get state(): MapState {
    return this.#state;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** A selection that is set here cannot be undone, as one of an address. */
  set(change: Partial<Omit<MapState, 'past' | 'future'>>): void {
    this.#change(change);
  }

  /** Forgets which cells are selected and what is pointed at, as the cells are others. */
  forgetCells(): void {
    const { selection, past, future, hovered, pick, line } = initial;
    this.#change({ selection, past, future, hovered, pick, line });
  }

  /** Another embedding is another map: it is shown whole. */
  setEmbedding(embedding: ChosenEmbedding | null): void {
    this.#change({ embedding, camera: fit(), hovered: -1 });
  }

  look(card: string): CardLook {
    return this.#state.looks.get(card) ?? {};
  }

  setLook(card: string, change: { [Key in keyof CardLook]?: CardLook[Key] | undefined }): void {
    const look = Object.fromEntries(
      Object.entries({ ...this.look(card), ...change }).filter(([, value]) => value !== undefined),
    );
    this.#change({ looks: new Map([...this.#state.looks, [card, look]]) });
  }

  select(selection: CellSelection | null): void {
    const { selection: before, past } = this.#state;
    if (selection === before) return;
    this.#change({ selection, past: [...past, before].slice(-maxPast), future: [] });
  }

  undo(): void {
    const { selection, past, future } = this.#state;
    if (past.length === 0) return;
    this.#change({ selection: past.at(-1)!, past: past.slice(0, -1), future: [selection, ...future] });
  }

  redo(): void {
    const { selection, past, future } = this.#state;
    if (future.length === 0) return;
    this.#change({ selection: future[0]!, past: [...past, selection], future: future.slice(1) });
  }

  #change(change: Partial<MapState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** A part of the state; the part has to be the same value until it changes. */
export function useMapState<T>(store: MapStore, part: (state: MapState) => T): T {
  return useSyncExternalStore(store.subscribe, () => part(store.state));
}

/** The state of the maps of a dataset, by its file name. */
export const MapStoresContext = createContext<((datasetName: string) => MapStore) | null>(null);

export function useMapStore(datasetName: string): MapStore {
  const stores = useContext(MapStoresContext);
  if (stores === null) throw new Error('Maps stand within LiveMaps.');
  return stores(datasetName);
}

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
