import { countText, percentText, plural } from '@cellfolio/model';
import { smallSize } from '../scene/style.ts';
import { textWidth } from './text-width.ts';

export function expressingText(expressing: number, cells: number): string {
  if (cells === 0) return 'no cell to count';
  return `${countText(expressing)} of ${plural(cells, 'cell')} (${percentText(expressing, cells)})`;
}

/** Value of the colour bar with at most three significant digits. */
export function valueText(value: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e6 || size < 0.001) return value.toExponential(1).replaceAll('-', '−').replace('e+', 'e');
  const text = size >= 1000 ? countText(Math.round(size)) : String(Number(size.toPrecision(3)));
  return value < 0 ? `−${text}` : text;
}

/** About `targetCount` multiples of 1, 2 or 5 times a power of ten, strictly between low and high. */
export function tidyTicks(low: number, high: number, targetCount: number): number[] {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return [];
  const rough = span / targetCount;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((unit) => unit * power).find((unit) => unit >= 0.75 * rough)!;
  const ticks: number[] = [];
  for (let k = Math.ceil(low / step); k * step < high; k++) {
    if (k * step > low) ticks.push(Number((k * step).toPrecision(12)));
  }
  return ticks;
}

/**
 * Ticks for a log(1 + x) scale strictly between low and high, both at least 0: powers of ten, then 5 and 2 times these,
 * the roundest first, so that a caller without room drops the last ones.
 */
export function logTicks(low: number, high: number): number[] {
  const first = Math.min(0, Math.floor(Math.log10(high)) - 1);
  return [1, 5, 2].flatMap((unit) => {
    const ticks: number[] = [];
    for (let power = first; unit * 10 ** power < high; power++) {
      const tick = Number((unit * 10 ** power).toPrecision(12));
      if (tick > low) ticks.push(tick);
    }
    return ticks;
  });
}

export function fitText(shown: number, all: number, noun: string): string {
  return shown < all ? `${countText(shown)} of ${countText(all)} ${noun}` : '';
}

/** Rounds places for an axis of that length to three of its digits. */
export function placeRounding(span: number): (place: number) => number {
  const digits = span > 0 ? Math.max(0, Math.min(12, 2 - Math.floor(Math.log10(span)))) : 3;
  return (place) => Number(place.toFixed(digits));
}

/** Whether the numbers of ascending ticks do not overlap; `xOf` gives the position of a value in CSS pixels. */
export function areTicksClear(ticks: readonly number[], xOf: (value: number) => number): boolean {
  return ticks.every((tick, i) => {
    const next = ticks[i + 1];
    if (next === undefined) return true;
    const needed = (textWidth(valueText(tick), smallSize) + textWidth(valueText(next), smallSize)) / 2;
    return xOf(next) - xOf(tick) >= needed + 8;
  });
}
