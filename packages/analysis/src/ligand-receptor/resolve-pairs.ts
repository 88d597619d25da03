import type { InteractionPair } from './interaction-pairs.ts';

/** A pair whose subunits are all genes of the dataset. */
export interface ResolvedPair {
  /** Place in the list of pairs. */
  readonly pair: number;
  /** Subunits by their place among `rows`. */
  readonly ligand: readonly number[];
  readonly receptor: readonly number[];
}

/** The pairs that a dataset can have. */
export interface ResolvedPairs {
  readonly pairs: readonly ResolvedPair[];
  /** Rows in var of the genes that any of the pairs needs, rising. */
  readonly rows: Int32Array;
  /** Pairs with a subunit that is no gene of the dataset. */
  readonly missing: number;
  /** Pairs that are the same genes as an earlier one under other names. */
  readonly duplicates: number;
}

/**
 * Finds the genes of pairs. A name with _ is taken for one gene where the dataset has a gene of that name, else for the
 * subunits of a complex.
 * @param find the row in var of a symbol of the list
 */
export function resolvePairs(
  pairs: readonly InteractionPair[],
  find: (symbol: string) => number | undefined,
): ResolvedPairs {
  const found: { pair: number; ligand: number[]; receptor: number[] }[] = [];
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
    else found.push({ pair, ligand: ligandRows, receptor: receptorRows });
    seen.add(key);
  });
  const rows = Int32Array.from(new Set(found.flatMap(({ ligand, receptor }) => [...ligand, ...receptor])));
  rows.sort();
  const placeOf = new Map(Array.from(rows, (row, place) => [row, place]));
  const places = (list: readonly number[]) => list.map((row) => placeOf.get(row)!);
  return {
    pairs: found.map(({ pair, ligand, receptor }) => ({
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
