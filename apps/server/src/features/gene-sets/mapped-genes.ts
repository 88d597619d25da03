import type { Species } from '@cellfolio/analysis';
import { countText, listedNames, plural, type ResultCaution as Caution } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { datasetSpecies } from '../../runtime/compute/dataset-species.ts';
import { type OtherName, otherNamesAmong } from '../../runtime/gene-names/named-genes.ts';
import { orthologuesBySymbol, type OrthologueTables } from './orthologues.ts';

/** How the genes of a set are found in a dataset. */
export type SpeciesMapping =
  /** Same species. */
  | { by: 'name' }
  /** The species of the dataset is not known, or no table maps its genes. */
  | { by: 'name-of-other-species'; dataset: Species | undefined; set: Species }
  | {
      by: 'table';
      dataset: Species;
      set: Species;
      table: string;
      licence: string;
    };

/** Symbols of a set that was mapped by a table, as far as `find` was asked. */
interface MappingOutcome {
  mapped: Set<string>;
  unmapped: Set<string>;
  /** Mapped ones whose orthologue the dataset lacks. */
  notInDataset: Set<string>;
}

export interface MappedGenes {
  mapping: SpeciesMapping;
  outcome: MappingOutcome;
  /** Symbols that were found by another name of the gene, as far as `find` was asked. */
  renamed: readonly OtherName[];
  /** Row in var of a symbol of the set. */
  find(symbol: string): number | undefined;
  /** As `find`, of a symbol of the dataset's own species. */
  findByName(symbol: string): number | undefined;
}

/**
 * The genes of a set in the species of a dataset: by name where both are of one species, by orthologues where a table
 * maps them, else by name.
 * @param species of the set; undefined for symbols of the dataset's own species
 */
export async function mapGenes(
  dataset: Pick<Dataset, 'genes'>,
  species: Species | undefined,
  orthologues: Pick<OrthologueTables, 'of'>,
): Promise<MappedGenes> {
  const { genes } = dataset;
  const renamed: OtherName[] = [];
  const looked = new Set<string>();
  const findByName = (symbol: string) => {
    if (!looked.has(symbol)) renamed.push(...otherNamesAmong(genes, [symbol]));
    looked.add(symbol);
    return genes.find(symbol);
  };
  const outcome = {
    mapped: new Set<string>(),
    unmapped: new Set<string>(),
    notInDataset: new Set<string>(),
  };
  const byName = { outcome, renamed, find: findByName, findByName };
  const own = datasetSpecies(dataset).species;
  if (species === undefined || species === own) return { ...byName, mapping: { by: 'name' } };
  const tables = own === undefined ? [] : (await orthologues.of(own)).tables;
  const table = tables.find(({ from, to }) => from === species || to === species);
  if (!table || own === undefined) {
    return { ...byName, mapping: { by: 'name-of-other-species', dataset: own, set: species } };
  }
  const orthologueOf = orthologuesBySymbol(table, table.from === species);
  const find = (symbol: string) => {
    const orthologue = orthologueOf(symbol);
    (orthologue === undefined ? outcome.unmapped : outcome.mapped).add(symbol);
    const row = orthologue === undefined ? undefined : findByName(orthologue);
    if (orthologue !== undefined && row === undefined) outcome.notInDataset.add(symbol);
    return row;
  };
  const { origin, licence } = table;
  const mapping = { by: 'table', dataset: own, set: species, table: origin, licence } as const;
  return { mapping, outcome, renamed, find, findByName };
}

/**
 * Says how many genes of a set were mapped to another species, and what became of the others.
 * @param of the genes, such as `the markers`
 * @param rest what else is to be said of it
 */
export function mappedCautions(
  { mapping, outcome }: Pick<MappedGenes, 'mapping' | 'outcome'>,
  of: string,
  rest: string,
): Caution[] {
  if (mapping.by !== 'table') return [];
  const { dataset, set, table, licence } = mapping;
  const [mapped, unmapped, missing] = [outcome.mapped.size, outcome.unmapped.size, outcome.notInDataset.size];
  const without =
    unmapped === 0 ? '' : `; ${plural(unmapped, 'has', 'have')} none: ${listedNames([...outcome.unmapped])}`;
  return [
    {
      code: 'species-mapped',
      message:
        `The dataset has ${dataset} genes, ${of} ${set} ones: ${countText(mapped)} of ${countText(mapped + unmapped)} were mapped to orthologs by ${table} (license: ${licence}), ${countText(missing)} of which the dataset lacks${without}. ${rest}`.trim(),
      numbers: { dataset, set, table, licence, mapped, unmapped, notInDataset: missing },
    },
  ];
}
