import { ColumnFormatError, decodeCells, encodeCells } from '@cellfolio/columns';
import type { MapViewState } from '@cellfolio/contract';
import { mapView } from '@cellfolio/contract';
import { fit } from '@cellfolio/map';
import { useEffect, useState } from 'react';
import { selectionOf, type CellSelection } from './cell-bits.ts';
import type { CardLook, MapState, MapStore } from './map-store.ts';

/** Longer texts are not put into an address: browsers and mail programs cut long ones. */
const maxLength = 1500;
/** Milliseconds that maps rest before the address changes. */
const rest = 400;

/** A dataset version, to which the places of selected cells belong. */
interface Cells {
  version: string;
  cellCount: number;
}

/** How the maps are shown, as text for an address; `null` where nothing differs from the figures. */
export function mapAddress(state: MapState, cards: readonly string[], cells: Cells): string | null {
  const { camera, density, embedding, selection, looks } = state;
  const round = (value: number) => Number(value.toPrecision(5));
  const isWhole = camera.zoom === 1 && camera.x === fit().x && camera.y === fit().y;
  const shown = cards.map((card) => cardText(looks.get(card) ?? {}));
  const view: MapViewState = {
    ...(!isWhole && { camera: [round(camera.x), round(camera.y), round(camera.zoom)] }),
    ...(density && { density }),
    ...(embedding && { embedding: { name: embedding.name, axes: [...embedding.axes] } }),
    ...(shown.some((card) => Object.keys(card).length > 0) && { cards: shown }),
  };
  const places = selection && placesText(selection, cells.cellCount);
  const whole = { ...view, ...(places && { selection: { version: cells.version, places } }) };
  for (const fits of [whole, view]) {
    const text = JSON.stringify(fits);
    if (text.length <= maxLength) return text === '{}' ? null : text;
  }
  return null;
}

function cardText({
  content,
  hidden,
  range,
  log,
  split,
}: CardLook): NonNullable<MapViewState['cards']>[number] {
  return {
    ...(content && { column: content.column }),
    ...(hidden && { hidden: [...hidden] }),
    ...(range && { range: [...range] }),
    ...(log && { log }),
    ...(split !== undefined && { split }),
  };
}

/** By selection: encoding a million cells takes some milliseconds. */
const texts = new WeakMap<CellSelection, string>();

function placesText(selection: CellSelection, cellCount: number): string {
  const text = texts.get(selection) ?? encodeCells(selection.bits, cellCount);
  texts.set(selection, text);
  return text;
}

/** Shows the maps as an address says; what it says of another version of the dataset is left out. */
export function openMapAddress(store: MapStore, text: string, cards: readonly string[], cells: Cells): void {
  const view = readView(text);
  if (view === undefined) return;
  const { camera, density, embedding, selection } = view;
  const looks = (view.cards ?? []).flatMap(({ column, ...look }, at): [string, CardLook][] => {
    const card = cards[at];
    if (card === undefined) return [];
    return [
      [card, { ...look, ...(column !== undefined && { content: { kind: 'obs-umap', column } }) } as CardLook],
    ];
  });
  store.set({
    ...(camera && { camera: { x: camera[0], y: camera[1], zoom: camera[2] } }),
    ...(density !== undefined && { density }),
    ...(embedding && { embedding }),
    looks: new Map(looks),
    selection: selection?.version === cells.version ? readPlaces(selection.places, cells.cellCount) : null,
  });
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

/** The text of the maps for the address, once they rest. */
export function useMapAddress(store: MapStore, cards: readonly string[], cells: Cells): string | null {
  const [text, setText] = useState<string | null>(null);
  const { version, cellCount } = cells;
  const ids = cards.join('\n');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const write = () =>
      setText(mapAddress(store.state, ids === '' ? [] : ids.split('\n'), { version, cellCount }));
    const unsubscribe = store.subscribe(() => {
      clearTimeout(timer);
      timer = setTimeout(write, rest);
    });
    write();
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [store, ids, version, cellCount]);
  return text;
}
