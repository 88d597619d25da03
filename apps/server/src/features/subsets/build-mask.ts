import { type DatasetRef, type Task, taskKind } from '../../runtime/compute/task.ts';
import {
  type PercentileRange,
  type ValueHistogram,
  categoryMask,
  geneHistogram,
  genePercentileMask,
  intersectMasks,
  presenceMask,
  scoreHistogram,
  scorePercentileMask,
} from '@cellfolio/analysis';
import type { FilterPreview } from '@cellfolio/contract';
import { type CellMask, isCategorical, sharedMask } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { mapOrderOf } from '../../runtime/compute/map-order.ts';
import { categoricalColumn } from '../../runtime/compute/open-datasets.ts';
import type { GeneRule } from '../selection/index.ts';
import { categoryCounts, unlabelledCells } from '../catalogue/index.ts';

/** Determines the cells of a subset. All parts must hold. */
export interface MaskTask extends Task<BuiltMask> {
  kind: 'mask';
  dataset: DatasetRef;
  gene?: { row: number; rule: GeneRule };
  signature?: { scores: Float64Array; range: PercentileRange };
  /** Obs columns, the categories to keep of each, and the part of the filter they come from. */
  columns: readonly {
    part: 'cell_type' | 'patient_metadata';
    name: string;
    categories: readonly string[];
  }[];
  /** Cells selected on the map: one bit per place of its order. */
  places?: Uint8Array;
}

type Thresholds = NonNullable<FilterPreview['thresholds']>;
type FilterCounts = FilterPreview['filter_counts'];

export interface BuiltMask {
  mask: CellMask;
  /** Expression or score at the requested percentiles; absent when no cell has a value. */
  thresholds: Thresholds;
  /** Cells of the dataset that each part of the filter keeps on its own. */
  filterCounts: FilterCounts;
  /** Values in all cells of the dataset. */
  histograms: { gene?: ValueHistogram; signature?: ValueHistogram };
  /** Cells of each cell type of the dataset in the subset, including types with 0. */
  cellTypeCounts: readonly (readonly [string, number])[];
  /** Cells of the subset without a cell type; 0 when the dataset has no cell types. */
  unlabelledCells: number;
}

/** The cells that all parts of a filter keep, and the effect of each part. Percentiles are over the whole dataset. */
async function buildMask(task: MaskTask, dataset: Dataset, signal: AbortSignal): Promise<BuiltMask> {
  const thresholds: Thresholds = {};
  const filterCounts: FilterCounts = {};
  const histograms: BuiltMask['histograms'] = {};
  const masks: CellMask[] = [];
  if (task.gene) {
    const { row, rule } = task.gene;
    const gene = await dataset.gene(row, signal);
    let mask: CellMask;
    if (typeof rule === 'string') mask = presenceMask(gene, rule);
    else {
      const percentileMask = genePercentileMask(gene, rule, rule.among);
      if (percentileMask.thresholds.every(Number.isFinite)) thresholds.gene = [...percentileMask.thresholds];
      mask = percentileMask.mask;
    }
    filterCounts.gene = mask.count;
    histograms.gene = geneHistogram(gene, mask);
    masks.push(mask);
  }
  if (task.signature) {
    const { scores, range } = task.signature;
    const percentileMask = scorePercentileMask(scores, range);
    if (percentileMask.thresholds.every(Number.isFinite))
      thresholds.signature = [...percentileMask.thresholds];
    filterCounts.signature = percentileMask.mask.count;
    histograms.signature = scoreHistogram(scores, percentileMask.mask);
    masks.push(percentileMask.mask);
  }
  for (const part of ['cell_type', 'patient_metadata'] as const) {
    const ofPart: CellMask[] = [];
    for (const { name, categories } of task.columns.filter((column) => column.part === part)) {
      ofPart.push(categoryMask(await categoricalColumn(dataset, name, signal), categories));
    }
    const [first, ...others] = ofPart;
    if (first === undefined) continue;
    const mask = intersectMasks(first, ...others);
    filterCounts[part] = mask.count;
    masks.push(mask);
  }
  const { cellCount } = dataset.manifest;
  if (task.places) {
    const mask = maskOfPlaces(task.places, await mapOrderOf(dataset));
    filterCounts.cells = mask.count;
    masks.push(mask);
  }
  const all: CellMask = { bits: new Uint8Array(cellCount).fill(1), count: cellCount };
  const mask = sharedMask(intersectMasks(masks[0] ?? all, ...masks.slice(1)));
  return { mask, thresholds, filterCounts, histograms, ...(await cellTypes(dataset, mask, signal)) };
}

function maskOfPlaces(places: Uint8Array, order: Uint32Array): CellMask {
  const bits = new Uint8Array(order.length);
  let count = 0;
  for (let place = 0; place < order.length; place++) {
    if (((places[place >> 3]! >> (place & 7)) & 1) === 0) continue;
    bits[order[place]!] = 1;
    count++;
  }
  return { bits, count };
}

/** Cells of each cell type in the mask; types with cells in the dataset but none in the mask count 0. */
async function cellTypes(
  dataset: Dataset,
  mask: CellMask,
  signal: AbortSignal,
): Promise<Pick<BuiltMask, 'cellTypeCounts' | 'unlabelledCells'>> {
  const name = dataset.manifest.roles.cellType;
  const column = name === undefined ? undefined : await dataset.obs(name, signal);
  if (!isCategorical(column)) return { cellTypeCounts: [], unlabelledCells: 0 };
  const all = categoryCounts(column);
  const inside = categoryCounts(column, mask);
  return {
    cellTypeCounts: Array.from(all.keys(), (name) => [name, inside.get(name) ?? 0]),
    unlabelledCells: all.size === 0 ? 0 : unlabelledCells(inside, mask.count),
  };
}

export const subsetTasks = [
  taskKind<MaskTask>('mask', (task, { dataset, signal }) => buildMask(task, dataset, signal)),
];
