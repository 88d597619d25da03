import type { DatasetRef, Task } from '../../runtime/compute/task.ts';
import type { GroupMarkers } from './rank-markers.ts';
import {
  type CellGroups,
  type GroupSeparation,
  type SampleChecks,
  SampleSums,
  groupSeparation,
  sampleChecks,
} from '@cellfolio/analysis';
import { type Embedding, isCategorical } from '@cellfolio/model';
import { type Dataset, UnknownColumn } from '@cellfolio/store';

/** What is known of listed markers beyond the test that found them. */
export interface CheckTask extends Task<MarkerChecks> {
  readonly kind: 'check';
  readonly dataset: DatasetRef;
  readonly groups: CellGroups;
  /** Whether to measure how far the groups lie apart. */
  readonly separation: boolean;
  /** Column of obs with the sample of each cell; absent where none is known. */
  readonly samples?: string;
  /** By group of `groups`, best first. */
  readonly markers: readonly Pick<GroupMarkers, 'group' | 'rows' | 'logfoldchanges'>[];
}

export interface MarkerChecks {
  /** Absent where it was not asked for, and where no embedding tells it. */
  readonly separation?: GroupSeparation & {
    readonly embedding: string;
    readonly dimensions: number;
  };
  /** Absent where no column has the samples, or too many for samples. */
  readonly samples?: SampleChecks & {
    /** Names of the samples that `groups` speaks of. */
    readonly largestNames: readonly string[];
  };
}

/** Listed markers that are read again at most; of more, the first of each group. */
const mostMarkers = 2000;
/** A column of more values names cells or runs, not samples. */
const mostSamples = 2000;
/** Of the sums that are kept: three times 8 MB. */
const mostSums = 1 << 20;

/** How far the groups lie apart, and which markers hold between samples. Reads the listed genes, and no others. */
export async function checkMarkers(
  task: CheckTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<MarkerChecks> {
  const separation = task.separation ? await separationOf(task, dataset, signal) : undefined;
  const samples = task.samples === undefined ? undefined : await samplesOf(task, dataset, signal);
  return { ...(separation && { separation }), ...(samples && { samples }) };
}

async function separationOf(
  { groups }: CheckTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<MarkerChecks['separation']> {
  // Distances mean more in principal components than in the two dimensions of a UMAP.
  for (const name of ['X_pca', dataset.manifest.roles.embedding]) {
    if (name === undefined) continue;
    const embedding = await embeddingOf(dataset, name, signal);
    if (!embedding) continue;
    const { values, dimensions } = embedding;
    const found = groupSeparation(values, dimensions, groups);
    return found && { ...found, embedding: name, dimensions };
  }
  return undefined;
}

async function embeddingOf(
  dataset: Dataset,
  name: string,
  signal: AbortSignal,
): Promise<Embedding | undefined> {
  try {
    return await dataset.embedding(name, signal);
  } catch (error) {
    if (error instanceof UnknownColumn) return undefined;
    throw error;
  }
}

async function samplesOf(
  { groups, samples: name, markers }: CheckTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<MarkerChecks['samples']> {
  const column = await dataset.obs(name!, signal);
  if (!isCategorical(column) || column.categories.length > mostSamples) return undefined;
  const most = Math.min(mostMarkers, Math.floor(mostSums / Math.max(1, column.categories.length)));
  const each = Math.max(1, Math.floor(most / Math.max(1, markers.length)));
  const listed = markers
    .flatMap(({ group, rows, logfoldchanges }) =>
      Array.from(rows.subarray(0, each), (row, place) => ({
        row,
        group,
        isRising: logfoldchanges[place]! > 0,
      })),
    )
    .slice(0, most);
  const sums = new SampleSums(groups, column, listed);
  await dataset.useGenes(sums.rows, (place, cells, values) => sums.add(place, cells, values), signal);
  const checks = sampleChecks(sums, groups, {
    markers: listed,
    rising: listed.map(({ isRising }) => isRising),
    geneCount: dataset.manifest.geneCount,
  });
  return {
    ...checks,
    largestNames: checks.groups.map(({ largest }) => column.categories[largest.sample] ?? ''),
  };
}
