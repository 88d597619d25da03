export { encodeCells as encodedSelection } from '@cellfolio/columns';
export { BinsField } from './bins-field.tsx';
export type { CellSelection } from './cell-bits.ts';
export { LiveMap } from './live-map.tsx';
export { LiveMaps, useMapStores } from './live-maps.tsx';
export { columnsOfMapAddress, keepsCells, mapAddress, openMapAddress, useMapAddress } from './map-address.ts';
export { ColumnField, titleIn } from './column-field.tsx';
export { ColumnPicker, noColours, noGroups, noNumbers, noSplit, noValue } from './column-picker.tsx';
export { cellQuery, columnListQuery, groupsColumn, invalidateColumns, valuesQuery } from './map-columns.ts';
export { type ChosenBins, type Grouping, quartiles, readBins, readChosenBins } from './numeric-bins.ts';
export type { CardLook, ChosenEmbedding, KeptCells, MapPoint } from './map-store.ts';
export {
  columnOfLook,
  defaultCard,
  MapStore,
  MapStoresContext,
  shownLook,
  useMapState,
  useMapStore,
} from './map-store.ts';
export { mapShortcuts } from './map-shortcuts.ts';
export { MapToolbar } from './map-toolbar.tsx';
export { PickOnMap } from './pick-on-map.tsx';
export { useLineOnMaps } from './map-store.ts';
export type { SelectionActions } from './selection-bar.tsx';
export { SelectionBar } from './selection-bar.tsx';
export { useSelectionCentre } from './selection-centre.ts';
export { defaultEmbedding, defaultMapTitle, embeddingTitle } from './embeddings.ts';
export { useEarlyGenes, useMapCells } from './use-map-layer.ts';
