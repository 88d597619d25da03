import { detectSpecies, type Species } from '@cellfolio/analysis';
import { type ResultCaution as Caution, quotedHead, unpackStrings } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { type OtherName, otherNameCautions, otherNamesAmong } from '../../runtime/gene-names/named-genes.ts';
import { orthologuesBySymbol, type OrthologueTables } from '../gene-sets/index.ts';
import { type ListHead, ownList } from './stored-lists.ts';

export type SymbolMapping =
  /** Same species, or a list written for this dataset. */
  | { readonly by: 'name' }
  /** The species of the dataset is not known, or names its genes after those of the list. */
  | { readonly by: 'name-of-other-species'; readonly dataset: Species | undefined; readonly set: Species }
  | { readonly by: 'table'; readonly dataset: Species; readonly set: Species; readonly table: string };

export interface MappedSymbols {
  readonly mapping: SymbolMapping;
  /** Symbols of the list that were found by another name of the gene, as far as `find` was asked. */
  readonly renamed: readonly OtherName[];
  /** Row in var of a symbol of the list. */
  find(symbol: string): number | undefined;
}

/** Species whose genes are named after the human ones. */
const namedAsHuman: ReadonlySet<Species> = new Set(['macaque', 'pig', 'cow', 'dog', 'chicken']);

/**
 * `entries` is the noun of the list's entries, such as `pairs`. Throws ApiFailure 422 when dataset and list are of
 * different species and no table maps their genes.
 */
export async function mapSymbols(
  list: ListHead,
  { genes }: Pick<Dataset, 'genes'>,
  { orthologues, entries }: { orthologues: Pick<OrthologueTables, 'of'>; entries: string },
): Promise<MappedSymbols> {
  const renamed: OtherName[] = [];
  const looked = new Set<string>();
  const byName = (symbol: string) => {
    if (!looked.has(symbol)) renamed.push(...otherNamesAmong(genes, [symbol]));
    looked.add(symbol);
    return genes.find(symbol);
  };
  if (list.name === ownList) return { mapping: { by: 'name' }, renamed, find: byName };
  const { species } = detectSpecies(genes.symbols, genes.ids.map(unpackStrings));
  if (species === list.species) return { mapping: { by: 'name' }, renamed, find: byName };
  if (species !== undefined) {
    const { tables } = await orthologues.of(species);
    const table = tables.find(({ from, to }) => from === list.species || to === list.species);
    if (table) {
      const symbolOf = orthologuesBySymbol(table, table.from === list.species);
      const find = (symbol: string) => {
        const name = symbolOf(symbol);
        return name === undefined ? undefined : byName(name);
      };
      const mapping = { by: 'table', dataset: species, set: list.species, table: table.origin } as const;
      return { mapping, renamed, find };
    }
  }
  if (species === undefined || (list.species === 'human' && namedAsHuman.has(species))) {
    const mapping = { by: 'name-of-other-species', dataset: species, set: list.species } as const;
    return { mapping, renamed, find: byName };
  }
  throw new ApiFailure(
    422,
    'species_mismatch',
    `The dataset has ${species} genes, the ${entries} ${quotedHead(list.name, 80)} are of ${list.species} ones. Have a table of orthologues installed (orthologues add FILE --from ${species} --to ${list.species}), or give ${entries} of your own with the names of the dataset.`,
  );
}

/**
 * Cautions of a mapping. `entries` is the noun of the list's entries, such as `pairs`; `limit` states what a common
 * ancestor of two genes does not imply.
 */
export function mappingCautions(
  { mapping, renamed }: Pick<MappedSymbols, 'mapping' | 'renamed'>,
  entries: string,
  limit: string,
): Caution[] {
  return [...otherSpecies(mapping, entries, limit), ...otherNameCautions(renamed, `the ${entries}`)];
}

function otherSpecies(mapping: SymbolMapping, entries: string, limit: string): Caution[] {
  if (mapping.by === 'name') return [];
  if (mapping.by === 'table') {
    return [
      {
        code: 'species-mapped',
        message: `The genes are of ${mapping.dataset}, the ${entries} of ${mapping.set}: symbols were mapped by the table of orthologues ${mapping.table}. ${limit}`,
        numbers: { dataset: mapping.dataset, set: mapping.set },
      },
    ];
  }
  return [
    {
      code: 'species-unknown',
      message: `${mapping.dataset === undefined ? 'The names of the genes do not tell their species' : `The genes are of ${mapping.dataset}`}, the ${entries} of ${mapping.set}: they were compared by name. Check that the names are the same.`,
      numbers: { set: mapping.set },
    },
  ];
}
