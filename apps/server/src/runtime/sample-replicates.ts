import type { CheckedSamples, ListedGroups } from '@cellfolio/analyses/compute';
import {
  type CheckedPart,
  checkedPart,
  maxSamples,
  sampleChecks,
  type SampleChecks,
  sampleSizes,
  SampleSums,
} from '@cellfolio/analysis';
import { isCategorical } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';

/** As in `ThreadDataset`. */
export async function checkWithSamples(
  dataset: Dataset,
  { samples, totals }: CheckedSamples,
  listedOf: (sampleCount: number) => Iterable<ListedGroups>,
  signal: AbortSignal,
): Promise<{ checks: SampleChecks; names: readonly string[] } | undefined> {
  const column = await dataset.obs(samples, signal);
  if (!isCategorical(column) || column.categories.length > maxSamples) return undefined;
  const counts = totals && (await dataset.counts(signal));
  const checked: CheckedPart[] = [];
  for (const { groups, reference, markers, rising, others } of listedOf(column.categories.length)) {
    const sums = new SampleSums(groups, column, markers, reference);
    await addGenes(dataset, others ? [sums, others] : [sums], signal);
    const counted = counts && {
      sums: new SampleSums(groups, column, markers, reference),
      sizes: sampleSizes(groups, column, totals!),
    };
    if (counts) await addGenes(counts, [counted!.sums], signal);
    checked.push(checkedPart({ groups, reference, sums, markers, rising, counted }));
  }
  return { checks: sampleChecks(checked, dataset.manifest.geneCount), names: column.categories };
}

/** Reads the genes of sums of the same markers once for all of them. */
export async function addGenes(
  matrix: Pick<Dataset, 'useGenes'>,
  sums: readonly SampleSums[],
  signal: AbortSignal,
): Promise<void> {
  const add = (...gene: Parameters<SampleSums['add']>) => sums.forEach((one) => one.add(...gene));
  await matrix.useGenes(sums[0]!.rows, add, signal);
}
