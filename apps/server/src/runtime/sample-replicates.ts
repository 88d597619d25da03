import {
  type CellGroups,
  type CheckedPart,
  checkedPart,
  type ListedMarker,
  sampleChecks,
  type SampleChecks,
  SampleSums,
} from '@cellfolio/analysis';
import { isCategorical } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { maxSamples } from './sample-column.ts';

/** Groups of cells that were compared with each other, and the genes that are listed of them. */
export interface ListedGroups {
  readonly groups: CellGroups;
  readonly markers: readonly ListedMarker[];
  /** Whether the group has more of the gene, by marker. */
  readonly rising: readonly boolean[];
}

/**
 * What becomes of listed genes with samples as replicates, and the names of the samples by their codes. Reads the genes
 * that are listed, and no others. Undefined where the column has no samples, or too many for samples.
 * @param samples column of obs
 * @param listedOf asked when the number of samples is known; taken one after the other, so that the codes of cells are in
 *   memory of one alone
 */
export async function checkWithSamples(
  dataset: Dataset,
  samples: string,
  listedOf: (sampleCount: number) => Iterable<ListedGroups>,
  signal: AbortSignal,
): Promise<{ checks: SampleChecks; names: readonly string[] } | undefined> {
  const column = await dataset.obs(samples, signal);
  if (!isCategorical(column) || column.categories.length > maxSamples) return undefined;
  const checked: CheckedPart[] = [];
  for (const { groups, markers, rising } of listedOf(column.categories.length)) {
    const sums = new SampleSums(groups, column, markers);
    await dataset.useGenes(sums.rows, (place, cells, values) => sums.add(place, cells, values), signal);
    checked.push(checkedPart({ groups, sums, markers, rising }));
  }
  return { checks: sampleChecks(checked, dataset.manifest.geneCount), names: column.categories };
}
