import { packStrings, type NumericArray, type PackedStrings } from '@cellfolio/model';

/** Numbers as text, the way Python prints them: 3 for an integer, 0.5 or 3.0 for a float. */
export function decimalStrings(values: NumericArray, isFloat: boolean): PackedStrings {
  return packStrings(Array.from(values, (value) => (isFloat ? pythonFloat(value) : String(value))));
}

function pythonFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  return Number.isInteger(value) && Math.abs(value) < 1e16 ? value.toFixed(1) : String(value);
}
