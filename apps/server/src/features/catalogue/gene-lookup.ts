import type { GeneIndex } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { listedNames } from '../../runtime/listed-names.ts';

/** Genes asked for, by their row in var; one named twice, or by symbol and id, counts once. */
export interface GeneLookup {
  readonly found: readonly { readonly symbol: string; readonly row: number }[];
  /** Names as they were asked for. */
  readonly missing: readonly string[];
}

export function lookUpGenes(index: GeneIndex, names: readonly string[]): GeneLookup {
  const found = new Map<number, string>();
  const missing = new Set<string>();
  for (const name of names) {
    const row = index.find(name);
    if (row === undefined) missing.add(name);
    else found.set(row, index.symbols[row] ?? name);
  }
  return { found: [...found].map(([row, symbol]) => ({ row, symbol })), missing: [...missing] };
}

/** The refusal where a dataset has none of the genes that something needs. */
export function noGenesFound(what: string, missing: readonly string[]): ApiFailure {
  return new ApiFailure(
    422,
    'no_genes_found',
    `The dataset has none of the genes of ${what}: ${listedNames(missing)}. Check their spelling, or choose a dataset of the same species.`,
    { details: { not_found_genes: missing } },
  );
}
