import {
  bySignificance,
  type CompiledLibrary,
  type EnrichmentResult,
  GeneBackground,
  overRepresentation,
} from '@cellfolio/analysis';
import { unpackStrings } from '@cellfolio/model';
import type { OtherName, PackedBackground, ThreadDataset } from '../context.ts';

interface TestedList {
  readonly compiled: CompiledLibrary;
  readonly background: PackedBackground;
  /** Identifies the background, so that a thread that has just used it need not unpack it again. */
  readonly backgroundKey: string;
  /** Symbols, or ids of the dataset. */
  readonly genes: readonly string[];
}

export interface RankedSets extends EnrichmentResult {
  /** Indices of the rows, most significant first. */
  readonly order: Int32Array;
  /** Genes of the list that the dataset does not have, as given; they are also in `notInBackground`. */
  readonly notInDataset: readonly string[];
  /** Genes of the list that the dataset calls otherwise. */
  readonly renamed: readonly OtherName[];
}

/**
 * Tests genes against a library. A gene may be given as any id of the dataset. When genes are mapped to orthologues, a
 * gene of the dataset is never looked up by its name in the library, where the name may mean another gene.
 */
function enrich(
  { compiled, background: packed, backgroundKey, genes }: TestedList,
  dataset: Pick<ThreadDataset, 'symbols' | 'find' | 'otherNames'>,
): RankedSets {
  const background = backgroundOf(packed, backgroundKey);
  const notInDataset = new Set<string>();
  const isMapped = packed.keys !== undefined;
  const find = (gene: string): number | undefined => {
    const row = dataset.find(gene);
    if (row === undefined) {
      notInDataset.add(gene.toUpperCase());
      return background.find(gene);
    }
    const place = background.numberOfOwn(dataset.symbols[row]!);
    return place ?? (isMapped ? undefined : background.find(gene));
  };
  const result = overRepresentation(compiled, background, genes, find);
  return {
    ...result,
    order: bySignificance(result),
    notInDataset: result.notInBackground.filter((gene) => notInDataset.has(gene.toUpperCase())),
    renamed: dataset.otherNames(genes),
  };
}

/** Backgrounds unpacked by this thread, most recently used last: a few megabytes each. */
const unpacked = new Map<string, GeneBackground>();
const maxUnpacked = 4;

function backgroundOf({ symbols, keys, libraryOnly }: PackedBackground, key: string): GeneBackground {
  const background =
    unpacked.get(key) ?? new GeneBackground(unpackStrings(symbols), keys && unpackStrings(keys), libraryOnly);
  unpacked.delete(key);
  unpacked.set(key, background);
  if (unpacked.size > maxUnpacked) unpacked.delete(unpacked.keys().next().value!);
  return background;
}

export const steps = { enrich };
