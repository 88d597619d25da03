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
  const genesByKey = new Map<string, { name: string; files: number }>();
  for (const [file, { geneNames }] of files.entries()) {
    for (const [gene, key] of keys[file]!.entries()) {
      const entry = genesByKey.get(key);
      if (entry === undefined) genesByKey.set(key, { name: geneNames[gene]!, files: 1 });
      else entry.files++;
    }
  }
  const shared = [...genesByKey].filter(([, gene]) => gene.files === files.length);
  const keptGenes = keep === 'shared' ? shared : [...genesByKey];
  const placeOf = new Map(keptGenes.map(([key], place) => [key, place]));
  const columns = new Map<string, Column>();
  if (byIds) columns.set('gene_ids', { kind: 'string', strings: packStrings(keptGenes.map(([id]) => id)) });
  return {
    table: {
      rowCount: keptGenes.length,
      indexName: '_index',
      index: packStrings(uniqueNames(keptGenes.map(([, { name }]) => name))),
      columns,
    },
    matchedBy: byIds ? 'ids' : 'names',
    places: keys.map((ofFile) => Int32Array.from(ofFile, (key) => placeOf.get(key) ?? -1)),
    shared: shared.length,
    elsewhere: keys.map((ofFile) => ofFile.filter((key) => genesByKey.get(key)!.files > 1).length),
    any: genesByKey.size,
  };
}

function areKeys(ids: readonly string[]): boolean {
  return ids.every((id) => id !== '') && new Set(ids).size === ids.length;
}

function numbered(names: readonly string[]): string[] {
  const occurrences = new Map<string, number>();
  return names.map((name) => {
    const before = occurrences.get(name) ?? 0;
    occurrences.set(name, before + 1);
    return before === 0 ? name : `${name}\0${before}`;
  });
}
