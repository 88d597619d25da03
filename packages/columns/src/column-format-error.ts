/** Bytes or text that are no column or no selection of the cells. */
export class ColumnFormatError extends Error {
  override readonly name = 'ColumnFormatError';
}
