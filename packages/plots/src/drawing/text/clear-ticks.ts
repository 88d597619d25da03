import { smallSize } from '../scene/style.ts';
import { valueText } from './number-text.ts';
import { textWidth } from './text-width.ts';

/** Whether the numbers of ticks, rising, keep clear of each other; `xOf` is where a value lies in CSS pixels. */
export function areTicksClear(ticks: readonly number[], xOf: (value: number) => number): boolean {
  return ticks.every((tick, i) => {
    const next = ticks[i + 1];
    if (next === undefined) return true;
    const needed = (textWidth(valueText(tick), smallSize) + textWidth(valueText(next), smallSize)) / 2;
    return xOf(next) - xOf(tick) >= needed + 8;
  });
}
