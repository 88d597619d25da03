export { ColumnFormatError } from './column-format-error.ts';
export { decodeCells, encodeCells } from './cells-text.ts';
export { mapOrder } from './map-order.ts';
