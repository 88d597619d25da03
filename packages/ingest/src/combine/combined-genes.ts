import { packStrings, type Column, type Table } from '@cellfolio/model';
import { uniqueNames } from '../matrix-market/tenx-tables.ts';

export interface FileGenes {
  readonly geneNames: readonly string[];
  /** Ensembl ids; empty for a gene without one. */
  readonly geneIds?: readonly string[];
}

/** Genes of several files under one numbering. */
export interface CombinedGenes {
  /** `var`: unique names, and `gene_ids` if genes were matched by them. */
  readonly table: Table;
  readonly matchedBy: 'ids' | 'names';
  /** Per file and gene: index among the combined genes, or -1 if left out. */
  readonly places: readonly Int32Array[];
  /** Number of genes that all files have; and that any has. */
  readonly shared: number;
  readonly any: number;
  readonly elsewhere: readonly number[];
}

/**
 * Matches genes by Ensembl id if all files have one for every gene, else by name; of a name repeated in a file, the
 * first occurrence matches the first of the others. `keep`: genes that all files have, or those that any has, in the
 * order of the first file that has them.
 */
export function combinedGenes(files: readonly FileGenes[], keep: 'shared' | 'all'): CombinedGenes {
  const byIds = files.every(({ geneIds }) => geneIds !== undefined && areKeys(geneIds));
  const keys = files.map(({ geneNames, geneIds }) => (byIds ? geneIds! : numbered(geneNames)));
  const found = new Map<string, { name: string; files: number }>();
  for (const [file, { geneNames }] of files.entries()) {
    for (const [gene, key] of keys[file]!.entries()) {
      const known = found.get(key);
      if (known === undefined) found.set(key, { name: geneNames[gene]!, files: 1 });
      else known.files++;
    }
  }
  const shared = [...found].filter(([, gene]) => gene.files === files.length);
  const kept = keep === 'shared' ? shared : [...found];
  const placeOf = new Map(kept.map(([key], place) => [key, place]));
  const columns = new Map<string, Column>();
  if (byIds) columns.set('gene_ids', { kind: 'string', strings: packStrings(kept.map(([id]) => id)) });
  return {
    table: {
      rowCount: kept.length,
      indexName: '_index',
      index: packStrings(uniqueNames(kept.map(([, { name }]) => name))),
      columns,
    },
    matchedBy: byIds ? 'ids' : 'names',
    places: keys.map((ofFile) => Int32Array.from(ofFile, (key) => placeOf.get(key) ?? -1)),
    shared: shared.length,
    elsewhere: keys.map((ofFile) => ofFile.filter((key) => found.get(key)!.files > 1).length),
    any: found.size,
  };
}

function areKeys(ids: readonly string[]): boolean {
  return ids.every((id) => id !== '') && new Set(ids).size === ids.length;
}

function numbered(names: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    return before === 0 ? name : `${name}\0${before}`;
  });
}
