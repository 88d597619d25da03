import type { CellTypeMarkers } from './marker-list.ts';

/** A type with the markers that a dataset has. */
export interface ResolvedType {
  /** Place in the list of types. */
  readonly type: number;
  /** Rows in var, each once, in the order of the list. */
  readonly rows: Int32Array;
  /** Of each row. */
  readonly weights: Float64Array;
  /** Markers that are no gene of the dataset. */
  readonly missing: readonly string[];
}

/** The types that can be looked for in a dataset. */
export interface ResolvedMarkers {
  readonly types: readonly ResolvedType[];
  /** Places in the list of types of which the dataset has too few markers. */
  readonly leftOut: readonly number[];
  /** Markers of all types, each once, and those of them that are no gene of the dataset. */
  readonly markers: number;
  readonly missing: number;
}

/**
 * Finds the genes of types.
 * @param find the row in var of a symbol of the list
 * @param least types of which the dataset has fewer markers are left out
 */
export function resolveMarkers(
  types: readonly CellTypeMarkers[],
  find: (symbol: string) => number | undefined,
  least: number,
): ResolvedMarkers {
  const found: ResolvedType[] = [];
  const leftOut: number[] = [];
  const [all, lost] = [new Set<string>(), new Set<string>()];
  types.forEach(({ genes, weights }, type) => {
    const rows = new Map<number, number>();
    const missing: string[] = [];
    genes.forEach((symbol, at) => {
      all.add(symbol.toUpperCase());
      const row = find(symbol);
      if (row === undefined) {
        missing.push(symbol);
        lost.add(symbol.toUpperCase());
      } else if (!rows.has(row)) rows.set(row, weights[at]!);
    });
    if (rows.size < least) leftOut.push(type);
    else {
      found.push({
        type,
        rows: Int32Array.from(rows.keys()),
        weights: Float64Array.from(rows.values()),
        missing,
      });
    }
  });
  return { types: found, leftOut, markers: all.size, missing: lost.size };
}
