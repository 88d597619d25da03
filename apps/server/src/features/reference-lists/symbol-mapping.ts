import type { ListHead } from '@cellfolio/analyses';
import { namedAsHuman } from '@cellfolio/analysis';
import { type ResultCaution as Caution, quotedHead } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { otherNameCautions } from '../../runtime/gene-names/named-genes.ts';
import { mapGenes, mappedCautions, type MappedGenes, type OrthologueTables } from '../gene-sets/index.ts';
import { ownList } from './stored-lists.ts';

export type MappedSymbols = Pick<MappedGenes, 'mapping' | 'outcome' | 'renamed'>;

/**
 * The genes of a list in the species of a dataset; those of a list that was written for the dataset by name. `entries` is
 * the noun of the list's entries, such as `pairs`. Throws ApiFailure 422 when dataset and list are of different species
 * and no table maps their genes.
 */
export async function mapSymbols(
  list: ListHead,
  dataset: Pick<Dataset, 'genes'>,
  { orthologues, entries }: { orthologues: Pick<OrthologueTables, 'of'>; entries: string },
): Promise<MappedGenes> {
  const genes = await mapGenes(dataset, list.name === ownList ? undefined : list.species, orthologues);
  const { mapping } = genes;
  if (mapping.by !== 'name-of-other-species' || mapping.dataset === undefined) return genes;
  const { dataset: species, set } = mapping;
  if (set === 'human' && namedAsHuman.has(species)) return genes;
  throw new ApiFailure(
    422,
    'species_mismatch',
    `The dataset has ${species} genes, the ${entries} ${quotedHead(list.name, 80)} have ${set} ones, and no table of orthologs maps them. Add your own ${entries} with the gene names of the dataset, or ask the operator for a table (orthologues add FILE --from ${species} --to ${set}).`,
  );
}

/**
 * Cautions of a mapping. `entries` is the noun of the list's entries, such as `pairs`; `limit` states what a common
 * ancestor of two genes does not imply.
 */
export function mappingCautions(symbols: MappedSymbols, entries: string, limit: string): Caution[] {
  return [
    ...mappedCautions(symbols, `the ${entries}`, limit),
    ...otherSpecies(symbols.mapping, entries),
    ...otherNameCautions(symbols.renamed, `the ${entries}`),
  ];
}

function otherSpecies(mapping: MappedGenes['mapping'], entries: string): Caution[] {
  if (mapping.by !== 'name-of-other-species') return [];
  return [
    {
      code: 'species-unknown',
      message: `${mapping.dataset === undefined ? 'The gene names do not identify their species' : `The genes are of ${mapping.dataset}`}, the ${entries} of ${mapping.set}: they were compared by name. Check that the names are the same.`,
      numbers: { set: mapping.set },
    },
  ];
}
