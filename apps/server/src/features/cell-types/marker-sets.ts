import { type CellTypeMarkers, parseMarkers } from '@cellfolio/analysis';
import type { ObjectStore } from '@cellfolio/store';
import { type ListKind, StoredLists } from '../reference-lists/index.ts';
import { abridgedMarkersCsv } from './abridged-markers.ts';

const markerLists: ListKind<CellTypeMarkers> = {
  folder: 'cell-type-markers',
  noun: 'set of markers',
  entries: 'markers',
  parse: (csv, origin) => {
    const { types, duplicates } = parseMarkers(csv, origin);
    return { entries: types, duplicates };
  },
  abridged: {
    release:
      'well-known markers, written for Cellfolio from primary literature and common knowledge of the field',
    csv: abridgedMarkersCsv,
  },
};

export class MarkerSets extends StoredLists<CellTypeMarkers> {
  constructor(objects: ObjectStore) {
    super(objects, markerLists);
  }
}
