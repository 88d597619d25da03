export { decodeCells, encodeCells } from './cells-text.ts';
export { decodeColumn, encodeColumn } from './column-bytes.ts';
export {
  bitBytes,
  type CategoryColumn,
  ColumnFormatError,
  type LevelColumn,
  type MapColumn,
  type MaskColumn,
  type PositionColumn,
} from './map-column.ts';
export { mapOrder, positionColumn } from './map-order.ts';
export { levelColumn, maskColumn, NoColours, obsColumn, obsFacts } from './value-columns.ts';
