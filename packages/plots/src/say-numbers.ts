import { minPValue } from '@cellfolio/model';

/** `12,345`. */
export function whole(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 0 });
}

/** `27.1%`; of nothing it is 0%. */
export function percent(part: number, all: number): string {
  return `${(all === 0 ? 0 : (100 * part) / all).toFixed(1)}%`;
}

/** Three digits, as a person would write them: `0.125`, `12.3`, `1.2e-9`; a dash where there is no number. */
export function value(given: number | null): string {
  if (given === null || !Number.isFinite(given)) return '–';
  if (given === 0) return '0';
  const size = Math.abs(given);
  if (size < 0.001 || size >= 1e6) return given.toExponential(1);
  return String(Number(given.toPrecision(3)));
}

/** The same of a p-value; one that is too small for a number is `< 2.2e-308`. */
export function pValue(given: number | null): string {
  return given !== null && given < minPValue ? `< ${minPValue.toPrecision(2)}` : value(given);
}

/** `1 cell`, `12 cells`. */
export function cells(count: number): string {
  return `${whole(count)} ${count === 1 ? 'cell' : 'cells'}`;
}

/** `a, b and c`. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)!}`;
}
