import {
  packStrings,
  type NumericColumn,
  type PackedStrings,
  type WideIntegerColumn,
} from '@cellfolio/model';

/** Numbers as text, the way Python prints them: 3 for an integer, 0.5 or 3.0 for a float. */
export function decimalStrings(column: NumericColumn | WideIntegerColumn): PackedStrings {
  if (column.kind === 'wide-integer') return packStrings(Array.from(column.values, String));
  const text = column.dtype.startsWith('float') ? pythonFloat : String;
  return packStrings(Array.from(column.values, (value) => text(value)));
}

function pythonFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  return Number.isInteger(value) && Math.abs(value) < 1e16 ? value.toFixed(1) : String(value);
}
