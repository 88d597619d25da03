export interface RepeatedNames {
  /** Names that an earlier one equals. */
  readonly repeated: number;
  /** Three of them at most, each once, in their order. */
  readonly examples: readonly string[];
}

/**
 * Counts names that come again. Takes eight bytes a name, whatever their length, as tables have millions of cells; only
 * names whose digests come again are compared themselves.
 */
export function repeatedNames(count: number, nameAt: (at: number) => string): RepeatedNames {
  const digests = Float64Array.from({ length: count }, (_, at) => digestOf(nameAt(at)));
  const sorted = digests.toSorted();
  const alike = new Set(sorted.filter((digest, at) => digest === sorted[at - 1]));
  if (alike.size === 0) return { repeated: 0, examples: [] };
  const seen = new Set<string>();
  const examples = new Set<string>();
  let repeated = 0;
  for (let at = 0; at < count; at++) {
    if (!alike.has(digests[at]!)) continue;
    const name = nameAt(at);
    if (seen.has(name)) {
      repeated++;
      if (examples.size < 3) examples.add(name);
    }
    seen.add(name);
  }
  return { repeated, examples: [...examples] };
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
