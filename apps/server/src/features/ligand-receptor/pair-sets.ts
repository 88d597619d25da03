import { type InteractionPair, parsePairs } from '@cellfolio/analysis';
import type { ObjectStore } from '@cellfolio/store';
import { type ListKind, StoredLists } from '../reference-lists/index.ts';
import { abridgedPairsCsv } from './abridged-pairs.ts';

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

/** Sets of ligand–receptor pairs. */
export class PairSets extends StoredLists<InteractionPair> {
  constructor(objects: ObjectStore) {
    super(objects, pairLists);
  }
}
