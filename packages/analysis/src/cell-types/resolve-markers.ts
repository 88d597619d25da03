import type { CellTypeMarkers } from './marker-list.ts';

export interface ResolvedType {
  readonly type: number;
  /** Unique rows in var, in the order of the list. */
  readonly rows: Int32Array;
  readonly weights: Float64Array;
  readonly missing: readonly string[];
}

export interface ResolvedMarkers {
  readonly types: readonly ResolvedType[];
  /** Indices of types of which the dataset has too few markers. */
  readonly leftOut: readonly number[];
  /** Number of unique markers of all types; `missing` are those that are not in the dataset. */
  readonly markers: number;
  readonly missing: number;
}

/**
 * Resolves the marker genes of types. `find`: row in var of a symbol. `minMarkers`: types with fewer markers in the
 * dataset are left out.
 */
export function resolveMarkers(
  types: readonly CellTypeMarkers[],
  find: (symbol: string) => number | undefined,
  minMarkers: number,
): ResolvedMarkers {
  const resolved: ResolvedType[] = [];
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
    if (rows.size < minMarkers) leftOut.push(type);
    else {
      resolved.push({
        type,
        rows: Int32Array.from(rows.keys()),
        weights: Float64Array.from(rows.values()),
        missing,
      });
    }
  });
  return { types: resolved, leftOut, markers: all.size, missing: lost.size };
}
