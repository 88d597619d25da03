import { isWide, type NumericColumn, type WideIntegerColumn } from '@cellfolio/model';
import {
  decodeNumbers,
  decodeWideIntegers,
  numericArray,
  wideArray,
  type Elements,
} from '../hdf5/decode-elements.ts';
import type { ElementType } from '../hdf5/element-type.ts';

/** Lends the elements of a column slice by slice, with the row that each begins at. */
export type EachSlice = (use: (elements: Elements, row: number) => void) => void;

/** A column of numbers. 64-bit integers are read again where float64 cannot tell them apart. */
export function numberColumn(
  type: ElementType & { kind: 'number' },
  rows: number,
  eachSlice: EachSlice,
): NumericColumn | WideIntegerColumn {
  const values = numericArray(type.dtype, rows);
  eachSlice((elements, row) => decodeNumbers(elements, type, values, row));
  const dtype = type.dtype === 'float16' ? 'float32' : type.dtype;
  if (!isWide(dtype, values)) return { kind: 'numeric', dtype, values };
  const wide = wideArray(dtype, rows);
  eachSlice((elements, row) => decodeWideIntegers(elements, type.littleEndian, wide, row));
  return { kind: 'wide-integer', dtype, values: wide };
}
