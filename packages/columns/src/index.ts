export { decodeCells, encodeCells } from './cells-text.ts';
export { decodeColumn, encodeColumn } from './column-bytes.ts';
export {
  type AreaColumn,
  bitBytes,
  type CategoryColumn,
  ColumnFormatError,
  type GridSquare,
  type LevelColumn,
  type MapColumn,
  type MaskColumn,
  type PositionColumn,
} from './map-column.ts';
export { areaColumn, mapOrder, positionColumn } from './map-order.ts';
export { levelColumn, maskColumn, NoColours, obsColumn, obsFacts } from './value-columns.ts';
