import type { InteractionPair } from './interaction-pairs.ts';

export interface ResolvedPair {
  readonly pair: number;
  /** Subunits by index in `rows`. */
  readonly ligand: readonly number[];
  readonly receptor: readonly number[];
}

export interface ResolvedPairs {
  readonly pairs: readonly ResolvedPair[];
  /** Rows in var of the genes needed by any pair, ascending. */
  readonly rows: Int32Array;
  readonly missing: number;
  /** Number of pairs with the same genes as an earlier one under other names. */
  readonly duplicates: number;
}

/**
 * Resolves the genes of pairs. A name with _ is one gene if the dataset has a gene of that name, else the subunits of a
 * complex. `find`: row in var of a symbol.
 */
export function resolvePairs(
  pairs: readonly InteractionPair[],
  find: (symbol: string) => number | undefined,
): ResolvedPairs {
  const resolved: { pair: number; ligand: number[]; receptor: number[] }[] = [];
  const seen = new Set<string>();
  let [missing, duplicates] = [0, 0];
  pairs.forEach(({ ligand, receptor }, pair) => {
    const [ligandRows, receptorRows] = [rowsOf(ligand, find), rowsOf(receptor, find)];
    if (!ligandRows || !receptorRows) {
      missing++;
      return;
    }
    const key = `${ligandRows.join('+')}|${receptorRows.join('+')}`;
    if (seen.has(key)) duplicates++;
    else resolved.push({ pair, ligand: ligandRows, receptor: receptorRows });
    seen.add(key);
  });
  const rows = Int32Array.from(new Set(resolved.flatMap(({ ligand, receptor }) => [...ligand, ...receptor])));
  rows.sort();
  const placeOf = new Map(Array.from(rows, (row, place) => [row, place]));
  const places = (list: readonly number[]) => list.map((row) => placeOf.get(row)!);
  return {
    pairs: resolved.map(({ pair, ligand, receptor }) => ({
      pair,
      ligand: places(ligand),
      receptor: places(receptor),
    })),
    rows,
    missing,
    duplicates,
  };
}

function rowsOf(
  subunits: readonly string[],
  find: (symbol: string) => number | undefined,
): number[] | undefined {
  const whole = subunits.length > 1 ? find(subunits.join('_')) : undefined;
  if (whole !== undefined) return [whole];
  const rows = subunits.map(find);
  return rows.every((row) => row !== undefined)
    ? [...new Set(rows)].toSorted((one, other) => one - other)
    : undefined;
}
