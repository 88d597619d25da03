import type { CategoricalColumn, NumericArray, WideIntegers } from '@cellfolio/model';

/** Numbers that the labels of numeric categories stand for. */
export function categoryNumbers(labels: readonly string[]): Float64Array {
  return Float64Array.from(labels, (label) => {
    const text = label.trim().toLowerCase();
    if (text === 'inf' || text === '+inf') return Infinity;
    if (text === '-inf') return -Infinity;
    return Number(text);
  });
}

/** The same of 64-bit integers; undefined where float64 holds them all, or a label is no whole number. */
export function wideCategories(
  type: 'int64' | 'uint64',
  labels: readonly string[],
): WideIntegers | undefined {
  if (!labels.every((label) => /^-?\d+$/.test(label))) return undefined;
  const values = labels.map(BigInt);
  if (values.every((value) => value < 2n ** 53n && value > -(2n ** 53n))) return undefined;
  return type === 'int64' ? BigInt64Array.from(values) : BigUint64Array.from(values);
}

/** 1 for the label of true, in any of the spellings that Python, R and JavaScript print. */
export function categoryFlags(labels: readonly string[]): Uint8Array {
  return Uint8Array.from(labels, (label) => (/^(true|t|1|1\.0|yes)$/i.test(label.trim()) ? 1 : 0));
}

/** Labels of stored categories that are not text: as Python prints them. */
export function labelsOf(
  type: CategoricalColumn['categoryType'],
  values: NumericArray | WideIntegers,
): string[] {
  return Array.from<number | bigint, string>(values, (value) => {
    if (type === 'boolean') return value ? 'True' : 'False';
    if (typeof value === 'number' && (type === 'float32' || type === 'float64')) {
      if (Number.isNaN(value)) return 'nan';
      if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
      return Number.isInteger(value) && Math.abs(value) < 1e16 ? `${value}.0` : String(value);
    }
    return String(value);
  });
}
