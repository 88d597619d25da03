import type { Caution } from '@cellfolio/model';
import type { InputValues } from '@cellfolio/plots';
import type { BackgroundChoice, RankedSets } from './enrichment-task.ts';
import { reportedRows } from './left-out.ts';
import type { LibraryHead } from '../gene-sets/index.ts';

/** Adjusted p up to which a set counts as significant. */
export const significanceThreshold = 0.05;
/** Sets that go to the figure in any case: the most bars that it draws. */
const mostBars = 50;

interface BarOutcome {
  readonly result: RankedSets;
  readonly library: Pick<LibraryHead, 'name' | 'label'>;
  readonly background: { readonly choice: Pick<BackgroundChoice, 'kind'> };
  readonly parameters: { readonly minimum_overlap: number };
}

/** What the genes of a background are, behind their number. */
const genesOf: Readonly<Record<BackgroundChoice['kind'], string>> = {
  expressed: 'expressed genes',
  dataset: 'genes of the dataset',
  library: 'genes of the library',
  own: 'genes of an own background',
};

/**
 * The reported sets that the figure draws or counts as significant, under the library's name and label. The thousands
 * that are neither stay behind: as objects they take longer to reach the thread than the figure takes to draw.
 */
export function enrichmentBarInput(
  { result: sets, library: { name, label }, background, parameters }: BarOutcome,
  cautions: readonly Caution[],
): InputValues['enrichment'] {
  const { adjustedPValues, queryGenes, backgroundSize } = sets;
  const order = reportedRows(sets, parameters.minimum_overlap);
  const library = label === '' ? name : `${name} (${label})`;
  // Adjusted p-values rise along the order, so that those up to the threshold are at its start.
  let count = Math.min(mostBars, order.length);
  while (count < order.length && adjustedPValues[order[count]!]! <= significanceThreshold) count++;
  return {
    title: 'Gene set enrichment',
    subtitle: `${library} · ${queryGenes.length} of ${backgroundSize.toLocaleString('en')} ${genesOf[background.choice.kind]}`,
    threshold: significanceThreshold,
    termCount: sets.order.length,
    minimumOverlap: parameters.minimum_overlap,
    cautions,
    terms: Array.from(order.subarray(0, count), (row) => ({
      term: sets.terms[row]!,
      adjustedP: adjustedPValues[row]!,
      logP: sets.logPValues[row]!,
      overlap: overlapOf(sets, row),
      combinedScore: finiteCombinedScore(sets, row),
    })),
  };
}

/** From the logarithm of the p-value, so that it is a number also where the p-value underflows to 0 and gseapy has inf. */
function finiteCombinedScore({ logPValues, oddsRatios }: RankedSets, row: number): number {
  // Not −0 where the p-value is 1.
  return logPValues[row] === 0 ? 0 : -logPValues[row]! * oddsRatios[row]!;
}

/** gseapy's Overlap: genes of the list in the set, of how many. */
export function overlapOf({ overlapStarts, setSizes }: RankedSets, row: number): string {
  return `${overlapStarts[row + 1]! - overlapStarts[row]!}/${setSizes[row]!}`;
}
