import type { Drawing, RankedSets } from '../../compute/task.ts';
import type { LibraryHead } from '../../gene-sets/gene-set-store.ts';

type EnrichmentBarInput = Extract<Drawing, { kind: 'enrichment-bars' }>['input'];

/** Adjusted p up to which a set counts as significant. */
const threshold = 0.05;
/** Sets that go to the figure in any case: the most bars that it draws. */
const mostBars = 50;

/**
 * The sets that the figure draws or counts as significant, under the library's name and label. The thousands that
 * are neither stay behind: as objects they take longer to reach the thread than the figure takes to draw.
 */
export function enrichmentBarInput(
  sets: RankedSets,
  { name, label }: Pick<LibraryHead, 'name' | 'label'>,
): EnrichmentBarInput {
  const { order, adjustedPValues, queryGenes, backgroundSize } = sets;
  const library = label === '' ? name : `${name} (${label})`;
  // Adjusted p-values rise along the order, so that those up to the threshold are at its start.
  let count = Math.min(mostBars, order.length);
  while (count < order.length && adjustedPValues[order[count]!]! <= threshold) count++;
  return {
    title: 'Gene set enrichment',
    subtitle: `${library} · ${queryGenes.length} of ${backgroundSize.toLocaleString('en')} genes`,
    threshold,
    termCount: order.length,
    terms: Array.from(order.subarray(0, count), (row) => ({
      term: sets.terms[row]!,
      adjustedP: adjustedPValues[row]!,
      logP: sets.logPValues[row]!,
      overlap: overlapOf(sets, row),
    })),
  };
}

/** gseapy's Overlap: genes of the list in the set, of how many. */
export function overlapOf({ overlapStarts, setSizes }: RankedSets, row: number): string {
  return `${overlapStarts[row + 1]! - overlapStarts[row]!}/${setSizes[row]!}`;
}
