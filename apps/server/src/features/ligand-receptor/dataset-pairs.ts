import { type InteractionPair, parsePairs, type ResolvedPairs, resolvePairs } from '@cellfolio/analysis';
import type { ObjectStore, Dataset } from '@cellfolio/store';
import {
  type ListKind,
  StoredLists,
  type ListHead,
  mapSymbols,
  type ReferenceList,
  type MappedSymbols,
} from '../reference-lists/index.ts';
import { abridgedPairsCsv } from './abridged-pairs.ts';
import { quotedHead } from '@cellfolio/model';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { OrthologueTables } from '../gene-sets/index.ts';

const pairLists: ListKind<InteractionPair> = {
  folder: 'ligand-receptor-pairs',
  noun: 'set of pairs',
  entries: 'pairs',
  parse: (csv, origin) => {
    const { pairs, duplicates } = parsePairs(csv, origin);
    return { entries: pairs, duplicates };
  },
  abridged: {
    release: 'well-known pairs, written for Cellfolio from primary literature',
    csv: abridgedPairsCsv,
  },
};

export class PairSets extends StoredLists<InteractionPair> {
  constructor(objects: ObjectStore) {
    super(objects, pairLists);
  }
}

export interface DatasetPairs extends ResolvedPairs, MappedSymbols {
  readonly set: ListHead;
  readonly named: readonly {
    readonly ligand: string;
    readonly receptor: string;
    readonly reference: string;
  }[];
}

/**
 * Throws ApiFailure 422 when dataset and set are of different species and no table maps their genes, and when the
 * dataset has both genes of no pair.
 */
export async function datasetPairs(
  { entries: pairs, ...set }: ReferenceList<InteractionPair>,
  dataset: Pick<Dataset, 'genes'>,
  orthologues: Pick<OrthologueTables, 'of'>,
): Promise<DatasetPairs> {
  const { find, ...mapped } = await mapSymbols(set, dataset, { orthologues, entries: 'pairs' });
  const resolved = resolvePairs(pairs, find);
  if (resolved.pairs.length === 0) throw nothingFound(set, pairs);
  const { symbols } = dataset.genes;
  const nameOf = (places: readonly number[]) =>
    places.map((place) => symbols[resolved.rows[place]!] ?? '').join('+');
  return {
    ...resolved,
    set,
    ...mapped,
    named: resolved.pairs.map(({ pair, ligand, receptor }) => ({
      ligand: nameOf(ligand),
      receptor: nameOf(receptor),
      reference: pairs[pair]!.reference,
    })),
  };
}

function nothingFound({ name }: ListHead, pairs: readonly InteractionPair[]): ApiFailure {
  const { ligand, receptor } = pairs[0]!;
  return new ApiFailure(
    422,
    'no_pairs_found',
    `The dataset has both genes of none of the ${pairs.length.toLocaleString('en-US')} pairs of ${quotedHead(name, 80)}, such as ${quotedHead(`${ligand.join('+')} – ${receptor.join('+')}`, 120)}. Use gene symbols as in the dataset.`,
  );
}
