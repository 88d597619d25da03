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

/** Undefined takes a setting away. */
type LookChange = { [Key in keyof CardLook]?: CardLook[Key] | undefined };

const noLook: CardLook = {};

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
  /** The user's own choices for each card: links, saved figures and the default map go by them. */
  looks: ReadonlyMap<string, CardLook>;
  /** The gene of a result that colours a card while it is looked at, over the user's own look. It is never saved. */
  shownGene: { card: string; gene: string; look: CardLook } | null;
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
    return shownLook(this.#state, card);
  }

  /** Changes what a card shows. */
  setLook(card: string, change: LookChange): void {
    const { shownGene } = this.#state;
    if (shownGene?.card !== card) return this.#setOwn(card, change);
    // Other colours take the place of a gene for good.
    if ('content' in change) return this.#setOwn(card, change, null);
    // Limits and logarithm are of the gene's values; the split is of the map.
    const gene = { ...shownGene, look: withChange(shownGene.look, change) };
    return this.#setOwn(card, 'split' in change ? { split: change.split } : {}, gene);
  }

  /** Changes what a card shows without a gene of a result, which stays over it. */
  setOwnColours(card: string, content: CardLook['content']): void {
    this.#setOwn(card, { content });
  }

  #setOwn(card: string, change: LookChange, shownGene = this.#state.shownGene): void {
    const { looks } = this.#state;
    this.#change({ looks: new Map([...looks, [card, withChange(looks.get(card), change)]]), shownGene });
  }

  /** Colours a card by a gene until `hideGene`; no image of it is made. */
  showGene(card: string, gene: string): void {
    const { looks, shownGene } = this.#state;
    const look = withChange(noLook, {
      content: { kind: 'gene-umap', gene },
      log: shownGene?.card === card ? shownGene.look.log : undefined,
      split: looks.get(card)?.split,
    });
    this.#change({ shownGene: { card, gene, look } });
  }

  hideGene(): void {
    if (this.#state.shownGene !== null) this.#change({ shownGene: null });
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

function withChange(look: CardLook | undefined, change: LookChange): CardLook {
  return Object.fromEntries(
    Object.entries({ ...look, ...change }).filter(([, value]) => value !== undefined),
  );
}

/** Look of a card as it is seen: with the gene of a result, else by the user's own choices. */
export function shownLook({ looks, shownGene }: MapState, card: string): CardLook {
  return (shownGene?.card === card ? shownGene.look : looks.get(card)) ?? noLook;
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
