import { stringAt, type PackedStrings } from '@cellfolio/model';

export interface RepeatedNames {
  /** Names that an earlier one equals. */
  readonly repeated: number;
  /** Three of them at most, each once, in their order. */
  readonly examples: readonly string[];
}

/**
 * Counts names that come again. Takes eight bytes a name, whatever their length: tables have millions of cells. Two
 * names are held for equal where 53 bits of their digests are: one pair in a thousand tables of four million names.
 */
export function repeatedNames(names: PackedStrings, count: number): RepeatedNames {
  const digests = new Float64Array(count);
  for (let at = 0; at < count; at++) digests[at] = digestOf(stringAt(names, at));
  const sorted = digests.toSorted();
  const twice = new Set<number>();
  let repeated = 0;
  for (let at = 1; at < count; at++) {
    if (sorted[at] !== sorted[at - 1]) continue;
    repeated++;
    twice.add(sorted[at]!);
  }
  if (repeated === 0) return { repeated, examples: [] };
  const examples: string[] = [];
  const seen = new Set<number>();
  for (let at = 0; at < count && examples.length < 3; at++) {
    const digest = digests[at]!;
    if (!twice.has(digest)) continue;
    if (seen.has(digest)) {
      const name = stringAt(names, at);
      if (!examples.includes(name)) examples.push(name);
    }
    seen.add(digest);
  }
  return { repeated, examples };
}

/** 53 bits of two multiplicative digests with different factors. */
function digestOf(name: string): number {
  let low = 0x811c9dc5;
  let high = 0x9e3779b9;
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b) ^ (high >>> 13);
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}
