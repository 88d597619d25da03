import {
  detectSpecies,
  type InteractionPair,
  InvalidPairs,
  parsePairs,
  type ResolvedPairs,
  resolvePairs,
  type Species,
} from '@cellfolio/analysis';
import type { LigandReceptorParameters } from '@cellfolio/contract';
import { quotedHead, unpackStrings } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { orthologuesBySymbol, type OrthologueTables } from '../gene-sets/index.ts';
import { type PairSet, type PairSetHead, type PairSets, versionOf } from './pair-sets.ts';

/** What a list of somebody's own is called. */
export const ownList = 'own list';

/** The pairs of a request among the genes of a dataset. */
export interface DatasetPairs extends ResolvedPairs {
  readonly set: PairSetHead;
  /** Of each resolved pair, as the dataset names its genes, and where it was shown. */
  readonly named: readonly {
    readonly ligand: string;
    readonly receptor: string;
    readonly reference: string;
  }[];
  /** How the symbols of the set became those of the dataset, where that is not by name. */
  readonly mapping: SymbolMapping;
}

export type SymbolMapping =
  /** Of one species, or of pairs that somebody wrote for this dataset. */
  | { readonly by: 'name' }
  /** The species of the dataset is not known, or names its genes after those of the set. */
  | { readonly by: 'name-of-other-species'; readonly dataset: Species | undefined; readonly set: Species }
  | { readonly by: 'table'; readonly dataset: Species; readonly set: Species; readonly table: string };

/** Throws ApiFailure 400 for a set that is not there or a list that cannot be read, 409 for a set that cannot be. */
export async function pairSetOf(
  sets: PairSets,
  { pairs, own_pairs: own }: LigandReceptorParameters,
): Promise<PairSet> {
  if (own !== undefined) return ownSet(own);
  const set = await sets.find(pairs);
  const quoted = quotedHead(pairs, 80);
  if (set === 'damaged') {
    throw new ApiFailure(
      409,
      'pairs_damaged',
      `The set of pairs ${quoted} cannot be read. Have it added again (pairs add FILE --replace), or choose another one.`,
    );
  }
  if (set) return set;
  throw new ApiFailure(400, 'unknown_pairs', `There is no set of pairs ${quoted}.`, {
    details: [{ field: 'pairs', problem: 'is not a set of pairs of this server' }],
  });
}

function ownSet(csv: string): PairSet {
  try {
    const { pairs } = parsePairs(csv, 'The list');
    return {
      name: ownList,
      label: '',
      release: '',
      licence: '',
      // Written for this dataset, whatever its species: compared by name.
      species: 'human',
      pairs,
      pairCount: pairs.length,
      version: versionOf(csv),
    };
  } catch (error) {
    if (!(error instanceof InvalidPairs)) throw error;
    throw new ApiFailure(400, 'invalid_pairs', error.message, {
      details: [{ field: 'own_pairs', problem: error.message }],
      cause: error,
    });
  }
}

/**
 * Throws ApiFailure 422 where dataset and set are of different species and no table maps their genes, and where the
 * dataset has both genes of no pair.
 */
export async function datasetPairs(
  { pairs, ...set }: PairSet,
  { genes }: Pick<Dataset, 'genes'>,
  orthologues: Pick<OrthologueTables, 'of'>,
): Promise<DatasetPairs> {
  const { mapping, symbolOf } =
    set.name === ownList
      ? ({ mapping: { by: 'name' }, symbolOf: (symbol: string) => symbol } as const)
      : await symbolMapping(set, genes, orthologues);
  const find = (symbol: string) => {
    const name = symbolOf(symbol);
    return name === undefined ? undefined : genes.find(name);
  };
  const resolved = resolvePairs(pairs, find);
  if (resolved.pairs.length === 0) throw nothingFound(set, pairs);
  const nameOf = (places: readonly number[]) =>
    places.map((place) => genes.symbols[resolved.rows[place]!] ?? '').join('+');
  return {
    ...resolved,
    set,
    mapping,
    named: resolved.pairs.map(({ pair, ligand, receptor }) => ({
      ligand: nameOf(ligand),
      receptor: nameOf(receptor),
      reference: pairs[pair]!.reference,
    })),
  };
}

/** Their genes are named after the human ones. */
const namedAsHuman: ReadonlySet<Species> = new Set(['macaque', 'pig', 'cow', 'dog', 'chicken']);

async function symbolMapping(
  set: PairSetHead,
  { symbols, ids }: Dataset['genes'],
  orthologues: Pick<OrthologueTables, 'of'>,
): Promise<{ mapping: SymbolMapping; symbolOf: (symbol: string) => string | undefined }> {
  const { species } = detectSpecies(symbols, ids.map(unpackStrings));
  const same = (symbol: string) => symbol;
  if (species === set.species) return { mapping: { by: 'name' }, symbolOf: same };
  if (species !== undefined) {
    const { tables } = await orthologues.of(species);
    const table = tables.find(({ from, to }) => from === set.species || to === set.species);
    if (table) {
      const mapping = { by: 'table', dataset: species, set: set.species, table: table.origin } as const;
      return { mapping, symbolOf: orthologuesBySymbol(table, table.from === set.species) };
    }
  }
  if (species === undefined || (set.species === 'human' && namedAsHuman.has(species))) {
    const mapping = { by: 'name-of-other-species', dataset: species, set: set.species } as const;
    return { mapping, symbolOf: same };
  }
  throw new ApiFailure(
    422,
    'species_mismatch',
    `The dataset has ${species} genes, the pairs ${quotedHead(set.name, 80)} are of ${set.species} ones. Have a table of orthologues installed (orthologues add FILE --from ${species} --to ${set.species}), or give pairs of your own with the names of the dataset.`,
  );
}

function nothingFound({ name }: PairSetHead, pairs: readonly InteractionPair[]): ApiFailure {
  const { ligand, receptor } = pairs[0]!;
  return new ApiFailure(
    422,
    'no_pairs_found',
    `The dataset has both genes of none of the ${pairs.length.toLocaleString('en-US')} pairs of ${quotedHead(name, 80)}, such as ${quotedHead(`${ligand.join('+')} – ${receptor.join('+')}`, 120)}. Pairs name genes by symbols, as the dataset does.`,
  );
}
