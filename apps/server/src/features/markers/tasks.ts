import { groupSeparation, type GroupSeparation, type SampleChecks } from '@cellfolio/analysis';
import type { Embedding } from '@cellfolio/model';
import { type Dataset, UnknownColumn } from '@cellfolio/store';
import { type BatchesApart, batchesApart } from '../../runtime/batch-columns.ts';
import { type DatasetRef, type Task, taskKind } from '../../runtime/compute/task.ts';
import { checkWithSamples, type ListedGroups } from '../../runtime/sample-replicates.ts';
import type { Stratum } from '../group-sums/index.ts';
import { type GroupMarkers, rankMarkers, type RankTask } from './rank-markers.ts';

export interface CheckTask extends Task<MarkerChecks> {
  kind: 'check';
  dataset: DatasetRef;
  strata: readonly Stratum[];
  separation: boolean;
  /** Column of obs with the sample of each cell; absent when unknown. */
  samples?: string;
  /** Raw counts of each cell, in shared memory; undefined where the dataset has none. */
  totals: Float64Array | undefined;
  batches: readonly string[];
  /** By group among those of all strata, best first. */
  markers: readonly Pick<GroupMarkers, 'group' | 'rows' | 'logfoldchanges'>[];
}

export interface MarkerChecks {
  /** Absent when not requested, and when no embedding shows it. */
  separation?: GroupSeparation & {
    embedding: string;
    dimensions: number;
  };
  /** Absent when no column holds samples, or it has too many values for samples. */
  samples?: SampleChecks & {
    column: string;
    /** Names of the samples that `groups` refers to. */
    largestNames: readonly string[];
  };
  /** Groups that share no batch with the cells they are compared with, by index among those of all strata. */
  batches?: readonly Pick<BatchesApart, 'column' | 'apart'>[];
}

/** Maximum number of listed markers that are read again; beyond it, the first of each group. */
const maxMarkers = 2000;
/** Cache limit of the sums: three times 8 MB. */
const maxSums = 1 << 20;

async function checkMarkers(task: CheckTask, dataset: Dataset, signal: AbortSignal): Promise<MarkerChecks> {
  const separation = task.separation ? await separationOf(task, dataset, signal) : undefined;
  const samples = task.samples === undefined ? undefined : await samplesOf(task, dataset, signal);
  const batches = await batchesOf(task, dataset, signal);
  return { ...(separation && { separation }), ...(samples && { samples }), batches };
}

async function batchesOf(
  { strata, batches: columns }: CheckTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<NonNullable<MarkerChecks['batches']>> {
  const apartIn = new Map<string, number[]>();
  let first = 0;
  for (const { groups } of strata) {
    const groupCount = groups.names.length;
    // With a slot for cells in no group, which are among the others of each.
    const slots = { columns, slots: groups.codes, slotCount: groupCount + 1 };
    for (const { column, apart } of await batchesApart(dataset, slots, signal)) {
      const places = apart.filter((group) => group < groupCount).map((group) => first + group);
      apartIn.set(column, [...(apartIn.get(column) ?? []), ...places]);
    }
    first += groupCount;
  }
  return Array.from(apartIn, ([column, apart]) => ({ column, apart }));
}

async function separationOf(
  { strata }: CheckTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<MarkerChecks['separation']> {
  // Distances mean more in principal components than in the two dimensions of a UMAP.
  for (const name of ['X_pca', dataset.manifest.roles.embedding]) {
    if (name === undefined) continue;
    const embedding = await embeddingOf(dataset, name, signal);
    if (!embedding) continue;
    const { values, dimensions } = embedding;
    const separation = joined(
      strata,
      strata.map(({ groups }) => groupSeparation(values, dimensions, groups)),
    );
    return separation && { ...separation, embedding: name, dimensions };
  }
  return undefined;
}

/** Combines the strata: the mean weighted by cells; undefined when no stratum has one. */
function joined(
  strata: readonly Stratum[],
  separations: readonly (GroupSeparation | undefined)[],
): GroupSeparation | undefined {
  const cellCount = separations.reduce((sum, one) => sum + (one?.cellCount ?? 0), 0);
  if (cellCount === 0) return undefined;
  return {
    cellCount,
    mean: separations.reduce((sum, one) => sum + (one ? (one.mean * one.cellCount) / cellCount : 0), 0),
    groups: Float64Array.from(
      strata.flatMap(({ groups }, at) =>
        Array.from(groups.names, (_, group) => separations[at]?.groups[group] ?? NaN),
      ),
    ),
  };
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
  { strata, samples, totals, markers }: CheckTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<MarkerChecks['samples']> {
  function* listedOf(sampleCount: number): Generator<ListedGroups> {
    const maxListed = Math.min(maxMarkers, Math.floor(maxSums / Math.max(1, sampleCount)));
    const each = Math.max(1, Math.floor(maxListed / Math.max(1, markers.length)));
    const listed = markers
      .flatMap(({ group, rows, logfoldchanges }) =>
        Array.from(rows.subarray(0, each), (row, place) => ({
          row,
          group,
          isRising: logfoldchanges[place]! > 0,
        })),
      )
      .slice(0, maxListed);
    let first = 0;
    for (const { groups } of strata) {
      const own = listed
        .map(({ row, group, isRising }) => ({ row, group: group - first, isRising }))
        .filter(({ group }) => group >= 0 && group < groups.names.length);
      yield { groups, markers: own, rising: own.map(({ isRising }) => isRising) };
      first += groups.names.length;
    }
  }
  const checked = await checkWithSamples(dataset, { samples: samples!, totals }, listedOf, signal);
  return (
    checked && {
      ...checked.checks,
      column: samples!,
      largestNames: checked.checks.groups.map(({ largest }) => checked.names[largest.sample] ?? ''),
    }
  );
}

export const markerTasks = [
  taskKind<RankTask>('rank', rankMarkers),
  taskKind<CheckTask>('check', (task, { dataset, signal }) => checkMarkers(task, dataset, signal)),
];
