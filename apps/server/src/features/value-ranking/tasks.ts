import type { ValueSource } from '@cellfolio/analyses/serve';
import {
  endHistogram,
  type EndHistogram,
  highSide,
  lowSide,
  sideComposition,
  type SampleEnds,
  valueEnds,
} from '@cellfolio/analysis';
import { type CellMask, sharedCopy, sharedMask } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { categoricalColumn } from '../../runtime/compute/open-datasets.ts';
import { type CellTask, taskKind } from '../../runtime/compute/task.ts';
import { readValues } from '../../runtime/compute/value-source.ts';
import type { NamedComposition } from '../../runtime/named-composition.ts';

export interface EndsTask extends CellTask<LocatedEnds> {
  kind: 'value-ends';
  source: ValueSource;
  /** Column of obs; undefined when unknown. */
  samples: string | undefined;
  groups: string | undefined;
  /** Percent. */
  share: number;
  minCells: number;
}

export interface LocatedEnds {
  /** Mask of the compared ends, in shared memory. */
  high: CellMask;
  low: CellMask;
  /** 0 for a cell of the high end, 1 of the low end, 2 for others; in shared memory. */
  sides: Uint8Array;
  /** Samples with ranked cells; the name is empty for cells without a sample. */
  samples: readonly (SampleEnds & { name: string })[];
  withoutValue: number;
  withoutSample: number;
  histogram: EndHistogram;
  /** A is the high end. */
  composition: NamedComposition | undefined;
}

async function findEnds(task: EndsTask, dataset: Dataset, signal: AbortSignal): Promise<LocatedEnds> {
  const { mask, share, minCells } = task;
  const values = await readValues(task.source, dataset, signal);
  const labels =
    task.samples === undefined ? undefined : await categoricalColumn(dataset, task.samples, signal);
  const ranked = {
    values,
    ...(mask && { bits: mask.bits }),
    ...(labels && { samples: { codes: labels.codes, count: labels.categories.length } }),
  };
  const { sides, samples, withoutValue, withoutSample } = valueEnds(ranked, { share, minCells });
  const groups =
    task.groups === undefined ? undefined : await categoricalColumn(dataset, task.groups, signal);
  return {
    high: maskOf(sides, highSide),
    low: maskOf(sides, lowSide),
    sides: sharedCopy(sides),
    samples: samples.map((one) => Object.assign({ name: labels?.categories[one.sample] ?? '' }, one)),
    withoutValue,
    withoutSample,
    histogram: endHistogram(values, { sides }, mask?.bits),
    composition: groups && { ...sideComposition(sides, groups), names: groups.categories },
  };
}

function maskOf(sides: Uint8Array, side: number): CellMask {
  const bits = Uint8Array.from(sides, (one) => Number(one === side));
  return sharedMask({ bits, count: bits.reduce((count, bit) => count + bit, 0) });
}

export const endTasks = [
  taskKind<EndsTask>('value-ends', (task, { dataset, signal }) => findEnds(task, dataset, signal)),
];
