import {
  type CellGroups,
  type CheckedPart,
  checkedPart,
  type ListedMarker,
  maxSamples,
  sampleChecks,
  type SampleChecks,
  sampleSizes,
  SampleSums,
} from '@cellfolio/analysis';
import { isCategorical, replicatesOfValues } from '@cellfolio/model';
import type { Dataset, DatasetManifest } from '@cellfolio/store';

/** Groups of cells that were compared with each other, and their listed genes. */
export interface ListedGroups {
  groups: CellGroups;
  markers: readonly ListedMarker[];
  /** Per marker: whether the gene is higher in the group. */
  rising: readonly boolean[];
  /** Sums of the same markers by another column, which are made while the genes are read. */
  others?: SampleSums | undefined;
}

/**
 * Tests listed genes with samples as replicates; `names` are the samples by their codes. Reads the listed genes only.
 * Undefined if the column has no samples, or more than can be samples.
 * @param samples column of obs
 * @param totals raw counts of each cell; undefined if the dataset has none
 * @param listedOf called once the number of samples is known; its parts are taken one after the other, so that the
 * codes of cells of one part only are in memory
 */
export async function checkWithSamples(
  dataset: Dataset,
  { samples, totals }: { samples: string; totals: Float64Array | undefined },
  listedOf: (sampleCount: number) => Iterable<ListedGroups>,
  signal: AbortSignal,
): Promise<{ checks: SampleChecks; names: readonly string[] } | undefined> {
  const column = await dataset.obs(samples, signal);
  if (!isCategorical(column) || column.categories.length > maxSamples) return undefined;
  const counts = totals && (await dataset.counts(signal));
  const checked: CheckedPart[] = [];
  for (const { groups, markers, rising, others } of listedOf(column.categories.length)) {
    const sums = new SampleSums(groups, column, markers);
    await addGenes(dataset, others ? [sums, others] : [sums], signal);
    const counted = counts && {
      sums: new SampleSums(groups, column, markers),
      sizes: sampleSizes(groups, column, totals!),
    };
    if (counts) await addGenes(counts, [counted!.sums], signal);
    checked.push(checkedPart({ groups, sums, markers, rising, counted }));
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

/** How samples were tested, as the end of a sentence. Differing depth shifts means of values and not sums of counts. */
export function replicateTestWords(
  { ofCounts }: Pick<SampleChecks, 'ofCounts'>,
  manifest: DatasetManifest,
): string {
  const corrected = replicatesOfValues(manifest);
  if (ofCounts) return `by sums of counts: prefer these.${corrected}`;
  return `by means of values, a check that differences in depth alone can pass.${corrected}`;
}
