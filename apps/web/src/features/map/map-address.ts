import { ColumnFormatError, decodeCells, encodeCells } from '@cellfolio/columns';
import type { MapViewState, SelectedCells } from '@cellfolio/contract';
import { mapView } from '@cellfolio/contract';
import { fit } from '@cellfolio/map';
import { useEffect, useState } from 'react';
import { selectionOf, type CellSelection } from './cell-bits.ts';
import { type CardLook, columnOfLook, type KeptCells, type MapState, type MapStore } from './map-store.ts';

/** Maximum length of the text in an address: browsers and mail programs truncate long ones. */
const maxLength = 1500;
/** Milliseconds without changes of the maps before the address is updated. */
const rest = 400;

interface Cells {
  version: string;
  cellCount: number;
  /**
   * Saved subsets of selected cells: a selection equal to one of them is named by its id if it has too many cells for
   * the address.
   */
  saved: readonly { id: string; cells: SelectedCells }[];
}

/** State of the maps as address text; `null` if nothing differs from the figures. */
export function mapAddress(state: MapState, cards: readonly string[], cells: Cells): string | null {
  const { camera, density, embedding, keptCells, selection, looks } = state;
  const round = (value: number) => Number(value.toPrecision(5));
  const isWhole = camera.zoom === 1 && camera.x === fit().x && camera.y === fit().y;
  const shown = cards.map((card) => cardText(looks.get(card) ?? {}));
  const view: MapViewState = {
    ...(!isWhole && { camera: [round(camera.x), round(camera.y), round(camera.zoom)] }),
    ...(density && { density }),
    ...(embedding && { embedding: { name: embedding.name, axes: [...embedding.axes] } }),
    ...(keptCells && { kept: true }),
    ...(shown.some((card) => Object.keys(card).length > 0) && { cards: shown }),
  };
  const { version, cellCount, saved } = cells;
  const places = selection && placesText(selection, cellCount);
  const subset = saved.find((one) => one.cells.version === version && one.cells.places === places)?.id;
  const whole = { ...view, ...(places && { selection: { version, places } }) };
  const named = { ...view, ...(subset !== undefined && { selection: { subset } }) };
  for (const fits of [whole, named, view, keptCells ? { kept: true } : {}]) {
    const text = JSON.stringify(fits);
    if (isShort(text)) return text === '{}' ? null : text;
  }
  return null;
}

function isShort(text: string): boolean {
  // Names in other scripts take up to nine characters each.
  return text.length <= maxLength && String(new URLSearchParams({ text })).length <= 2 * maxLength;
}

function cardText(look: CardLook): NonNullable<MapViewState['cards']>[number] {
  const { hidden, range, log, split } = look;
  const column = columnOfLook(look);
  return {
    ...(column !== undefined && { column }),
    ...(hidden && { hidden: [...hidden] }),
    ...(range && { range: [...range] }),
    ...(log && { log }),
    ...(split !== undefined && { split }),
  };
}

/** Cached by selection: encoding a million cells takes some milliseconds. */
const texts = new WeakMap<CellSelection, string>();

function placesText(selection: CellSelection, cellCount: number): string {
  const text = texts.get(selection) ?? encodeCells(selection.bits, cellCount);
  texts.set(selection, text);
  return text;
}

/**
 * Restores the maps from an address, ignoring what refers to another version of the dataset. `keptCells`: the cells
 * that are kept if it says so. `cards` has undefined for one that is not drawn; a map is not coloured or split by
 * columns that `lacks` names. Returns whether all selected cells that the address names are available.
 */
export function openMapAddress(
  store: MapStore,
  text: string,
  cards: readonly (string | undefined)[],
  { version, cellCount, saved }: Cells,
  {
    keptCells = null,
    lacks = () => false,
  }: { keptCells?: KeptCells | null; lacks?: (column: string) => boolean } = {},
): boolean {
  const view = readView(text);
  if (view === undefined) return true;
  const { camera, density, embedding } = view;
  const savedCells =
    view.selection && 'subset' in view.selection
      ? saved.find(({ id }) => id === (view.selection as { subset: string }).subset)?.cells
      : view.selection;
  const selection = savedCells?.version === version ? readPlaces(savedCells.places, cellCount) : null;
  const looks = (view.cards ?? []).flatMap(({ column, split, ...colours }, at): [string, CardLook][] => {
    const card = cards[at];
    if (card === undefined) return [];
    const look = {
      ...((column === undefined || !lacks(column)) && {
        ...colours,
        ...(column !== undefined && { content: { kind: 'obs-umap', column } }),
      }),
      ...(split !== undefined && !lacks(split) && { split }),
    };
    return [[card, look as CardLook]];
  });
  store.set({
    ...(camera && { camera: { x: camera[0], y: camera[1], zoom: camera[2] } }),
    ...(density !== undefined && { density }),
    ...(embedding && { embedding }),
    keptCells: view.kept === true ? keptCells : null,
    looks: new Map(looks),
    shownGene: null,
    selection,
  });
  return view.selection === undefined || selection !== null;
}

/** Whether the maps of an address show the active cells alone. */
export function keepsCells(text: string): boolean {
  return readView(text)?.kept === true;
}

/** Columns that an address colours or splits the map of each card by. */
export function columnsOfMapAddress(text: string): readonly (readonly string[])[] {
  return (readView(text)?.cards ?? []).map(({ column, split }) =>
    [column, split].filter((name) => name !== undefined),
  );
}

function readView(text: string): MapViewState | undefined {
  try {
    return mapView.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function readPlaces(places: string, cellCount: number): CellSelection | null {
  try {
    const selection = selectionOf(decodeCells(places, cellCount));
    return selection.count === 0 ? null : selection;
  } catch (error) {
    if (error instanceof ColumnFormatError) return null;
    throw error;
  }
}

export function useMapAddress(store: MapStore, cards: readonly string[], cells: Cells): string | null {
  const [text, setText] = useState<string | null>(null);
  const { version, cellCount, saved } = cells;
  const ids = cards.join('\n');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let { keptCells } = store.state;
    const write = () =>
      setText(mapAddress(store.state, ids === '' ? [] : ids.split('\n'), { version, cellCount, saved }));
    const unsubscribe = store.subscribe(() => {
      clearTimeout(timer);
      if (store.state.keptCells === keptCells) {
        timer = setTimeout(write, rest);
        return;
      }
      // At once: an address with the kept cells as its filter, but without the word that maps show them, draws every map
      // of the viewer as a figure of its own when it is opened.
      ({ keptCells } = store.state);
      write();
    });
    write();
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [store, ids, version, cellCount, saved]);
  return text;
}
