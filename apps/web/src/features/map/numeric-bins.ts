import type { FigureContent } from '@cellfolio/contract';

export type Grouping = NonNullable<Extract<FigureContent, { kind: 'violin' }>['by']>;
type Bins = NonNullable<Grouping['bins']>;

export interface ChosenBins {
  by: 'quartiles' | 'quantiles' | 'edges';
  parts: string;
  edges: string;
}

export const quartiles: ChosenBins = { by: 'quartiles', parts: '5', edges: '' };

/** Limits of the server's calls. */
const [fewestParts, maxParts] = [2, 20];

/**
 * Bins to send; undefined for quartiles, the server's default. Returns a `problem` in words if the input is invalid.
 */
export function readBins({ by, parts, edges }: ChosenBins): { bins?: Bins } | { problem: string } {
  if (by === 'quartiles') return {};
  if (by === 'quantiles') {
    const count = Number(parts);
    return parts.trim() !== '' && Number.isInteger(count) && count >= fewestParts && count <= maxParts
      ? { bins: { by, parts: count } }
      : { problem: `Enter a whole number of quantiles from ${fewestParts} to ${maxParts}.` };
  }
  const texts = edges.split(/[\s,;]+/).filter((text) => text !== '');
  const wrong = texts.find((text) => !Number.isFinite(Number(text)));
  if (wrong !== undefined)
    return {
      problem: `“${wrong.slice(0, 30)}” is not a number. Separate edges by commas, as in 0.5, 10, 100.`,
    };
  if (texts.length === 0) return { problem: 'Enter the edges between the groups, such as 0.5, 10, 100.' };
  if (texts.length >= maxParts) {
    return { problem: `At most ${maxParts - 1} edges; there are ${texts.length}.` };
  }
  const numbers = texts.map(Number);
  const fall = numbers.findIndex((edge, i) => i > 0 && edge <= numbers[i - 1]!);
  if (fall >= 0) {
    return { problem: `Edges must increase: ${texts[fall]} is not above ${texts[fall - 1]}.` };
  }
  return { bins: { by, edges: numbers } };
}

export function readChosenBins(stored: unknown): ChosenBins | undefined {
  const { by, parts, edges } = (stored ?? {}) as Partial<ChosenBins>;
  if (by !== 'quartiles' && by !== 'quantiles' && by !== 'edges') return undefined;
  return typeof parts === 'string' && typeof edges === 'string' ? { by, parts, edges } : undefined;
}
