import { type Column, isCategorical } from '@cellfolio/model';
import { bitBytes, type CategoryColumn, type LevelColumn, type MaskColumn } from './map-column.ts';

/** Highest level for values up to the 99.9th percentile; the rest are for values beyond. */
const lastCommon = 239;
/** Highest level; a map reserves 255 for cells that it does not draw. */
const lastLevel = 254;
const commonPart = 0.999;

/**
 * Quantises numbers to 254 levels: integers of at most that many as they are; otherwise evenly from minimum to maximum
 * or, if the top thousandth of the values takes more than its share of that range, evenly up to the 99.9th percentile
 * and separately beyond, so that one outlier does not cost the resolution of all others. `values`: one per file row;
 * NaN and infinite ones are missing. `zero`: whether level 0 is an exact zero (as for a gene) instead of a missing
 * value.
 */
export function levelColumn(
  values: Float32Array | Float64Array,
  order: Uint32Array,
  { zero }: { readonly zero: boolean },
): LevelColumn {
  let [missing, zeros, whole] = [0, 0, true];
  let [low, high] = [Infinity, -Infinity];
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    if (!Number.isFinite(value)) missing++;
    else {
      whole &&= value >= 0 && value === Math.floor(value);
      if (zero && value === 0) zeros++;
      else {
        if (value < low) low = value;
        if (value > high) high = value;
      }
    }
  }
  if (low > high) [low, high] = [0, 0];
  const common = commonValue(values, { zero, count: values.length - missing - zeros });
  const scale = scaleOf({ low, high, common, whole });
  const table = new Float64Array(256);
  table[0] = zero ? 0 : NaN;
  table[255] = NaN;
  for (let level = 1; level <= lastLevel; level++) table[level] = scale.valueOf(level);
  const levels = new Uint8Array(order.length);
  for (let place = 0; place < order.length; place++) {
    const value = values[order[place]!]!;
    if (Number.isFinite(value) && !(zero && value === 0)) levels[place] = scale.levelOf(value);
  }
  return {
    kind: 'levels',
    cells: order.length,
    levels,
    values: table,
    range: zeros > 0 ? [Math.min(low, 0), Math.max(high, 0)] : [low, high],
    zero,
    missing,
    counts: whole,
  };
}

interface Scale {
  levelOf(value: number): number;
  valueOf(level: number): number;
}

/** Maximum sample for the 99.9th percentile, which only affects resolution. */
const maxSampled = 50_000;

/** The 99.9th percentile of the `count` values with their own level; sampled evenly if there are many. */
function commonValue(
  values: Float32Array | Float64Array,
  { zero, count }: { zero: boolean; count: number },
): number {
  const every = Math.ceil(count / maxSampled);
  const sample = new Float64Array(Math.min(count, maxSampled));
  let [visited, sampleSize] = [0, 0];
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    if (!Number.isFinite(value) || (zero && value === 0) || visited++ % every !== 0) continue;
    sample[sampleSize++] = value;
  }
  const sorted = sample.subarray(0, sampleSize).sort();
  return sorted[Math.ceil(commonPart * (sampleSize - 1))] ?? 0;
}

interface Spread {
  low: number;
  high: number;
  common: number;
  whole: boolean;
}

function scaleOf({ low, high, common, whole }: Spread): Scale {
  if (whole && high - low < lastLevel) {
    return { levelOf: (value) => 1 + value - low, valueOf: (level) => Math.min(low + level - 1, high) };
  }
  const share = (lastLevel - lastCommon) / (lastLevel - 1);
  if (!(high - common > share * (high - low)) || common === low) return evenly(low, high, 1, lastLevel);
  const [below, above] = [evenly(low, common, 1, lastCommon), evenly(common, high, lastCommon, lastLevel)];
  return {
    levelOf: (value) => (value <= common ? below : above).levelOf(value),
    valueOf: (level) => (level <= lastCommon ? below : above).valueOf(level),
  };
}

function evenly(low: number, high: number, first: number, last: number): Scale {
  const steps = last - first;
  return {
    levelOf: (value) => first + (high > low ? Math.round(((value - low) / (high - low)) * steps) : 0),
    valueOf: (level) => low + ((level - first) / steps) * (high - low),
  };
}

export class NoColours extends Error {
  override readonly name = 'NoColours';
}

const maxCodes = 65_535;

/** A column of obs in map order: categories, booleans, or numbers. Throws NoColours. */
export function obsColumn(column: Column, order: Uint32Array): CategoryColumn | LevelColumn {
  switch (column.kind) {
    case 'categorical':
      return categoryColumn(column.codes, column.categories, order);
    case 'boolean': {
      const { values, missing } = column;
      return categoryColumn(
        Int8Array.from(values, (value, row) => (missing?.[row] ? -1 : value)),
        ['False', 'True'],
        order,
      );
    }
    case 'numeric': {
      const { values, missing } = column;
      const floats = Float64Array.from(values, (value, row) => (missing?.[row] ? NaN : value));
      return levelColumn(floats, order, { zero: false });
    }
    default:
      throw new NoColours('It has a text or an id of its own for each cell.');
  }
}

function categoryColumn(
  codes: Int8Array | Int16Array | Int32Array,
  categories: readonly string[],
  order: Uint32Array,
): CategoryColumn {
  if (categories.length > maxCodes) {
    throw new NoColours(
      `It has ${categories.length.toLocaleString('en')} categories, the maximum is 65,535.`,
    );
  }
  const placed = new (categories.length < 256 ? Uint8Array : Uint16Array)(order.length);
  const counts = new Array<number>(categories.length).fill(0);
  let missing = 0;
  for (let place = 0; place < order.length; place++) {
    const code = codes[order[place]!]!;
    placed[place] = code + 1;
    if (code < 0) missing++;
    else counts[code]!++;
  }
  return { kind: 'categories', cells: order.length, codes: placed, categories, counts, missing };
}

/** Whether a column of obs can colour cells, and its number of categories; booleans count the values that occur. */
export function obsFacts(
  column: Column,
): { readonly kind: 'categories'; readonly categories: number } | { readonly kind: 'levels' | 'none' } {
  if (isCategorical(column)) {
    const categories = column.categories.length;
    return categories > maxCodes ? { kind: 'none' } : { kind: 'categories', categories };
  }
  if (column.kind === 'boolean') {
    const { values, missing } = column;
    const occurs = (value: number) => values.some((one, row) => one === value && !missing?.[row]);
    return { kind: 'categories', categories: Number(occurs(0)) + Number(occurs(1)) };
  }
  return { kind: column.kind === 'numeric' ? 'levels' : 'none' };
}

/** `rows`: one byte per file row, 1 for those included. */
export function maskColumn(rows: Uint8Array, order: Uint32Array): MaskColumn {
  const bits = new Uint8Array(bitBytes(order.length));
  let count = 0;
  for (let place = 0; place < order.length; place++) {
    if (rows[order[place]!] !== 1) continue;
    bits[place >> 3]! |= 1 << (place & 7);
    count++;
  }
  return { kind: 'mask', cells: order.length, bits, count };
}
