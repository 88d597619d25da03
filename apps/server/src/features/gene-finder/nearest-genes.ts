import { setImmediate } from 'node:timers/promises';

/** Names compared before other calls get their turn: a few milliseconds. */
const namesAtATime = 10_000;
/** Longer names are ids or hostile. */
const longestName = 40;
/** Ids that differ by a digit mean different genes. */
const idPattern = /^ENS[A-Z]*\d/;

const greek: ReadonlyMap<string, string> = new Map(
  Object.entries({ Α: 'A', Β: 'B', Γ: 'G', Δ: 'D', Ε: 'E', Ζ: 'Z', Θ: 'TH', Κ: 'K', Λ: 'L', Σ: 'S', Ω: 'O' }),
);

/** Upper case, without separators, and with Greek letters in the form used by symbols: `TGF-β1` is `TGFB1`. */
function bareGeneName(name: string): string {
  // Nearly all symbols.
  if (/^[A-Z0-9]+$/.test(name)) return name;
  return name
    .normalize('NFKC')
    .toUpperCase()
    .replace(/\p{Script=Greek}/gu, (letter) => greek.get(letter) ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/**
 * Names similar to one that was not found, nearest first: those that differ only in punctuation, then by the number of
 * edits (a letter added, removed or replaced, or two neighbours swapped), one for up to four letters and two for longer
 * names; then those with it as prefix, shortest first. `names` are symbols; of several that differ only in case the
 * first is returned. Empty for an Ensembl id.
 */
export async function nearestGenes(
  query: string,
  names: Iterable<string>,
  limit: number,
): Promise<readonly string[]> {
  const bare = bareGeneName(query);
  if (bare.length < 2 || bare.length > longestName || idPattern.test(bare)) return [];
  const reach = bare.length <= 4 ? 1 : 2;
  const distanceTo = boundedDistance(bare, reach);
  const near = new Map<string, { name: string; distance: number }>();
  let looked = 0;
  for (const name of names) {
    if (++looked % namesAtATime === 0) await setImmediate();
    if (name.length > longestName || name.length < bare.length - reach) continue;
    const other = bareGeneName(name);
    if (near.has(other) || (other.startsWith('ENS') && idPattern.test(other))) continue;
    const distance = distanceTo(other);
    if (distance !== undefined) near.set(other, { name, distance });
    else if (other.startsWith(bare)) near.set(other, { name, distance: reach + other.length - bare.length });
  }
  return [...near]
    .sort(
      ([a, one], [b, two]) =>
        one.distance - two.distance ||
        // A slip is rarer in the first letters.
        commonStart(bare, b) - commonStart(bare, a) ||
        Number(a > b) - Number(a < b),
    )
    .slice(0, limit)
    .map(([, { name }]) => name);
}

function commonStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

function boundedDistance(a: string, maxDistance: number): (b: string) => number | undefined {
  let before = new Uint8Array(a.length + maxDistance + 1);
  let last = before.slice();
  let row = before.slice();
  return (b) => {
    if (Math.abs(a.length - b.length) > maxDistance) return undefined;
    for (let j = 0; j <= b.length; j++) last[j] = j;
    for (let i = 1; i <= a.length; i++) {
      row[0] = i;
      let minCost = i;
      for (let j = 1; j <= b.length; j++) {
        const same = a[i - 1] === b[j - 1];
        let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + Number(!same));
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
          cost = Math.min(cost, before[j - 2]! + 1);
        }
        row[j] = cost;
        if (cost < minCost) minCost = cost;
      }
      // An exchange reaches over one row, at one more than the row before.
      if (minCost > maxDistance + 1) return undefined;
      [before, last, row] = [last, row, before];
    }
    const distance = last[b.length]!;
    return distance <= maxDistance ? distance : undefined;
  };
}
