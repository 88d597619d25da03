import type { CategoricalColumn, NumericArray } from '@cellfolio/model';

/** Numbers that the labels of numeric categories stand for. */
export function categoryNumbers(labels: readonly string[]): Float64Array {
  return Float64Array.from(labels, (label) => {
    const text = label.trim().toLowerCase();
    if (text === 'inf' || text === '+inf') return Infinity;
    if (text === '-inf') return -Infinity;
    return Number(text);
  });
}

/** 1 for the label of true, in any of the spellings that Python, R and JavaScript print. */
export function categoryFlags(labels: readonly string[]): Uint8Array {
  return Uint8Array.from(labels, (label) => (/^(true|t|1|1\.0|yes)$/i.test(label.trim()) ? 1 : 0));
}

/** Labels of stored categories that are not text: as Python prints them. */
export function labelsOf(type: CategoricalColumn['categoryType'], values: NumericArray): string[] {
  return Array.from(values, (value) => {
    if (type === 'boolean') return value ? 'True' : 'False';
    if (type === 'float32' || type === 'float64') {
      if (Number.isNaN(value)) return 'nan';
      if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
      return Number.isInteger(value) && Math.abs(value) < 1e16 ? `${value}.0` : String(value);
    }
    return String(value);
  });
}
