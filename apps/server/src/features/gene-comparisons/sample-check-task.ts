import type { ListedGroups } from '@cellfolio/analyses/compute';
import {
  type ComparedCells,
  groupsOfPart,
  isByComposition,
  type SampleChecks,
  SampleSums,
  sidesOfPart,
} from '@cellfolio/analysis';
import type { Dataset } from '@cellfolio/store';
import { categoricalColumn } from '../../runtime/compute/open-datasets.ts';
import { type DatasetRef, type Task, taskKind } from '../../runtime/compute/task.ts';
import { addGenes, checkWithSamples } from '../../runtime/sample-replicates.ts';
import type { ComparedTable } from './compared-table.ts';

/** Checks the genes that differ most: between samples, and by the composition of the sides. They are read once for both. */
export interface SampleCheckTask extends Task<GeneChecks> {
  kind: 'compare-samples';
  dataset: DatasetRef;
  compared: ComparedCells;
  /** Column of obs; undefined where genes are not checked by it, as for the next one. */
  samples: string | undefined;
  /** Column of obs of which the sides have other shares. */
  types: string | undefined;
  /** Raw counts of each cell, in shared memory; undefined where the dataset has none. */
  totals: Float64Array | undefined;
  /** Per part: rows of genes, most significant first. */
  listed: readonly ListedGenes[];
}

export interface GeneChecks {
  between?: SampleChecks | undefined;
  byComposition?: CompositionCheck | undefined;
}

/** Number of checked genes, and of those whose difference is mostly in what the sides are made of. */
export interface CompositionCheck {
  checked: number;
  byComposition: number;
}

export interface ListedGenes {
  rows: Int32Array;
  /** Per gene: whether it is higher in A. */
  rising: readonly boolean[];
}

/** Maximum number of genes that are read again, over all parts. */
const maxListed = 500;

/** How many genes of each part are read again; with more parts than the limit, one gene for each of the first parts. */
export function listedOfEach(parts: number): number {
  return Math.max(1, Math.floor(maxListed / Math.max(1, parts)));
}

export function genesToCheck(
  { order, pvals_adj, logfoldchanges }: Pick<ComparedTable, 'order' | 'pvals_adj' | 'logfoldchanges'>,
  { limit, maxGenes }: { limit: number; maxGenes: number },
): ListedGenes {
  const first = order.subarray(0, maxGenes);
  const rows = first.filter((row) => pvals_adj[row]! < limit && logfoldchanges[row] !== 0);
  return { rows, rising: Array.from(rows, (row) => logfoldchanges[row]! > 0) };
}

async function checkGenes(
  { compared, samples, types, totals, listed }: SampleCheckTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<GeneChecks> {
  const categories = types === undefined ? undefined : await categoricalColumn(dataset, types, signal);
  let [checked, byComposition] = [0, 0];
  function* parts() {
    for (const part of listedGroups(compared, listed)) {
      const others = categories && new SampleSums(part.groups, categories, part.markers);
      yield { ...part, others };
      if (!others) continue;
      // Its genes were read when the next part is asked for.
      checked += part.markers.length;
      byComposition += ofComposition(others);
    }
  }
  const checks = samples && (await checkWithSamples(dataset, { samples, totals }, parts, signal));
  if (!checks) for (const { others } of parts()) if (others) await addGenes(dataset, [others], signal);
  return {
    ...(checks && { between: checks.checks }),
    ...(categories && { byComposition: { checked, byComposition } }),
  };
}

/** Number of genes of A that differ by the shares of categories more than within them. */
function ofComposition(sums: SampleSums): number {
  const { counts, sampleCount } = sums;
  const cells = { a: counts.subarray(0, sampleCount), b: counts.subarray(sampleCount, 2 * sampleCount) };
  return sums.markers().filter((gene) => isByComposition({ a: gene.sums, b: gene.restSums }, cells)).length;
}

/** The sides of each part as groups, and the genes that are listed of A. */
function* listedGroups(compared: ComparedCells, listed: readonly ListedGenes[]): Generator<ListedGroups> {
  for (const [place, { rows, rising }] of listed.slice(0, maxListed).entries()) {
    const groups = { ...groupsOfPart(compared, place), codes: sidesOfPart(compared, place) };
    yield { groups, markers: Array.from(rows, (row) => ({ row, group: 0 })), rising };
  }
}

/** Tasks of compute threads. */
export const sampleTasks = [
  taskKind<SampleCheckTask>('compare-samples', (task, { dataset, signal }) =>
    checkGenes(task, dataset, signal),
  ),
];
