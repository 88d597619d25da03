import type { PackedStrings } from '@cellfolio/model';
import { boundedNames, unpackStrings } from '@cellfolio/model';

/** Genes of a dataset by symbol and id, ignoring case. */
export interface GeneIndex {
  readonly symbols: readonly string[];
  /** Row names of var and its id columns: further names of the same genes, in the same order. */
  readonly ids: readonly PackedStrings[];
  /**
   * Row in var of a symbol or Ensembl id (with or without version suffix), or undefined. Exact case takes precedence.
   */
  find(name: string): number | undefined;
}

/** Ensembl stable ids, optionally with a version: ENSG00000105369.10. Excludes clone names like AC012345.1. */
const ensemblVersion = /^(ENS[A-Z]*\d{6,})\.\d+$/i;

/** Columns of var that hold gene ids, besides its index. */
export const idColumns = ['gene_ids', 'gene_id', 'ensembl_id', 'ensembl', 'feature_id'] as const;

export class LazyGeneIndex implements GeneIndex {
  readonly symbols: readonly string[];
  readonly ids: readonly PackedStrings[];
  #exact: Map<string, number> | undefined;
  #folded: Map<string, number> | undefined;
  #exactIds: Map<string, number> | undefined;
  #foldedIds: Map<string, number> | undefined;

  /**
   * `names`: symbols of the file, cut to the maximum name length. `ids`: columns of further names of the same genes.
   */
  constructor(names: readonly string[], ids: readonly PackedStrings[]) {
    this.symbols = uniqueNames(boundedNames(names));
    this.ids = ids;
  }

  find(name: string): number | undefined {
    this.#exact ??= firstRows(this.symbols);
    const exact = this.#exact.get(name);
    if (exact !== undefined) return exact;
    this.#folded ??= firstRows(this.symbols.map(fold));
    const folded = this.#folded.get(fold(name));
    if (folded !== undefined) return folded;
    this.#exactIds ??= this.#idRows((id) => id);
    const id = this.#exactIds.get(name);
    if (id !== undefined) return id;
    this.#foldedIds ??= this.#idRows(fold);
    return this.#foldedIds.get(fold(name)) ?? this.#foldedIds.get(fold(unversioned(name)));
  }

  /** Full ids take precedence over ids without their version. */
  #idRows(form: (id: string) => string): Map<string, number> {
    const columns = this.ids.map(unpackStrings);
    const rows = firstRows(
      columns.flatMap((ids) => ids.map(form)),
      this.symbols.length,
    );
    for (const ids of columns) {
      for (let row = 0; row < ids.length; row++) {
        const short = form(unversioned(ids[row]!));
        if (short !== '' && !rows.has(short)) rows.set(short, row);
      }
    }
    return rows;
  }
}

/** Makes names unique like AnnData's `var_names_make_unique`: the first keeps its name, `-1`, `-2`… follow. */
export function uniqueNames(names: readonly string[]): string[] {
  const all = new Set(names);
  if (all.size === names.length) return [...names];
  const seen = new Set<string>();
  const counts = new Map<string, number>();
  return names.map((name) => {
    if (!seen.has(name)) {
      seen.add(name);
      return name;
    }
    for (let n = (counts.get(name) ?? 0) + 1; ; n++) {
      const candidate = `${name}-${n}`;
      counts.set(name, n);
      if (!all.has(candidate)) {
        all.add(candidate);
        return candidate;
      }
    }
  });
}

/** First row of each name; with `rowCount`, for names of several concatenated columns. */
function firstRows(names: readonly string[], rowCount = names.length): Map<string, number> {
  const rows = new Map<string, number>();
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!;
    if (name !== '' && !rows.has(name)) rows.set(name, i % rowCount);
  }
  return rows;
}

function fold(name: string): string {
  return name.toUpperCase();
}

function unversioned(id: string): string {
  return ensemblVersion.exec(id)?.[1] ?? id;
}
