import { type Camera, fit } from '@cellfolio/map';
import type { FigureContent, FigureSource } from '@cellfolio/contract';
import { createContext, useContext, useEffect, useSyncExternalStore } from 'react';
import type { CellSelection } from './cell-bits.ts';

export type MapTool = 'pan' | 'lasso' | 'box';

/** An embedding and two of its axes, counted from 0. */
export interface ChosenEmbedding {
  name: string;
  axes: readonly [number, number];
}

/** View settings of the map on one card; absent fields are as in the figure. */
export interface CardLook {
  content?: Extract<FigureContent, { kind: 'obs-umap' | 'gene-umap' }>;
  hidden?: readonly string[];
  range?: readonly [number, number];
  /** Colours by log(1 + value). */
  log?: boolean;
  split?: string;
}

/** The column that a look colours by; undefined if it colours as the figure, or by a gene. */
export function columnOfLook({ content }: CardLook): string | undefined {
  return content?.kind === 'obs-umap' ? content.column : undefined;
}

/** Card of the map of the whole dataset, which is always in the library. */
export const defaultCard = 'default';

export type MapPoint = readonly [x: number, y: number];

export type MapPick = {
  id: string;
  prompt: string;
} & (
  | {
      of: 'cell';
      /** `place`: index of the cell in map order. */
      onPicked: (place: number) => void;
    }
  | {
      of: 'line';
      /** `embedding` on which the line was drawn; null for that of the figures. */
      onPicked: (from: MapPoint, to: MapPoint, embedding: ChosenEmbedding | null) => void;
    }
);

interface MapLine {
  from: MapPoint;
  to: MapPoint;
  /** A key of obsm. */
  embedding: string;
  isDefault: boolean;
}

/** Cells that all maps show alone, in place of the cells of their figures. */
export interface KeptCells {
  name: string;
  filter: NonNullable<FigureSource['subset']>;
  cellCount: number;
}

export interface MapState {
  camera: Camera;
  tool: MapTool;
  density: boolean;
  /** `null` for the embedding of the figures. */
  embedding: ChosenEmbedding | null;
  keptCells: KeptCells | null;
  selection: CellSelection | null;
  past: readonly (CellSelection | null)[];
  future: readonly (CellSelection | null)[];
  /** Index in map order of the cell under the pointer; -1 for none. */
  hovered: number;
  hoveredCard: string | null;
  pick: MapPick | null;
  line: MapLine | null;
  /** By card. */
  looks: ReadonlyMap<string, CardLook>;
  /** The gene that colours a card for as long as it is looked at, and the look that the card has otherwise. */
  shownGene: { card: string; gene: string; before: CardLook } | null;
}

const initial: MapState = {
  camera: fit(),
  tool: 'pan',
  density: false,
  embedding: null,
  keptCells: null,
  selection: null,
  past: [],
  future: [],
  hovered: -1,
  hoveredCard: null,
  pick: null,
  line: null,
  looks: new Map(),
  shownGene: null,
};

/** Maximum number of selections that can be undone. A million cells take 125 kB each. */
const maxPast = 50;

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

  /** A selection set here, as from an address, cannot be undone. */
  set(change: Partial<Omit<MapState, 'past' | 'future'>>): void {
    this.#change(change);
  }

  forgetCells(): void {
    const { keptCells, selection, past, future, hovered, pick, line } = initial;
    this.#change({ keptCells, selection, past, future, hovered, pick, line });
  }

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
    const { looks, shownGene } = this.#state;
    // Other colours take the place of the gene for good.
    const isReplaced = 'content' in change && shownGene?.card === card;
    this.#change({ looks: new Map([...looks, [card, look]]), shownGene: isReplaced ? null : shownGene });
  }

  /** Colours a card by a gene until `hideGene`; no image of it is made. */
  showGene(card: string, gene: string): void {
    if (this.#state.shownGene !== null && this.#state.shownGene.card !== card) this.hideGene();
    const before = this.#state.shownGene?.before ?? this.look(card);
    const { split } = before;
    const look: CardLook = {
      content: { kind: 'gene-umap', gene },
      ...(split !== undefined && { split }),
    };
    this.#change({
      looks: new Map([...this.#state.looks, [card, look]]),
      shownGene: { card, gene, before },
    });
  }

  hideGene(): void {
    const { shownGene, looks } = this.#state;
    if (shownGene === null) return;
    this.#change({ looks: new Map([...looks, [shownGene.card, shownGene.before]]), shownGene: null });
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

/** `part` has to return the same value (by identity) until it changes. */
export function useMapState<T>(store: MapStore, part: (state: MapState) => T): T {
  return useSyncExternalStore(store.subscribe, () => part(store.state));
}

export const MapStoresContext = createContext<((datasetName: string) => MapStore) | null>(null);

export function useMapStore(datasetName: string): MapStore {
  const stores = useContext(MapStoresContext);
  if (stores === null) throw new Error('Maps stand within LiveMaps.');
  return stores(datasetName);
}

/** Draws a line over the live maps of a dataset while the calling component is mounted; `undefined` draws none. */
export function useLineOnMaps(filename: string, line: MapLine | undefined): void {
  const store = useContext(MapStoresContext)?.(filename);
  const text = line && JSON.stringify(line);
  useEffect(() => {
    if (store === undefined || text === undefined) return undefined;
    store.set({ line: JSON.parse(text) as MapLine });
    return () => store.set({ line: null });
  }, [store, text]);
}
