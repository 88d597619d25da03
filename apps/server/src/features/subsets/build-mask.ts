import {
  categoryMask,
  geneHistogram,
  genePercentileMask,
  intersectMasks,
  presenceMask,
  scoreHistogram,
  scorePercentileMask,
} from '@cellfolio/analysis';
import { type CellMask, isCategorical, sharedMask } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { categoryCounts, unlabelledCells } from '../catalogue/obs-summary.ts';
import { categoricalColumn } from '../../runtime/compute/columns.ts';
import type { BuiltMask, FilterCounts, MaskTask, Thresholds } from '../../runtime/compute/task.ts';

/** The cells that all parts of a filter keep, and what each part does. Percentiles are over the whole dataset. */
export async function buildMask(task: MaskTask, dataset: Dataset, signal: AbortSignal): Promise<BuiltMask> {
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
      const kept = genePercentileMask(gene, rule, rule.among);
      if (kept.thresholds.every(Number.isFinite)) thresholds.gene = [...kept.thresholds];
      mask = kept.mask;
    }
    filterCounts.gene = mask.count;
    histograms.gene = geneHistogram(gene, mask);
    masks.push(mask);
  }
  if (task.signature) {
    const { scores, range } = task.signature;
    const kept = scorePercentileMask(scores, range);
    if (kept.thresholds.every(Number.isFinite)) thresholds.signature = [...kept.thresholds];
    filterCounts.signature = kept.mask.count;
    histograms.signature = scoreHistogram(scores, kept.mask);
    masks.push(kept.mask);
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
  const all: CellMask = { bits: new Uint8Array(cellCount).fill(1), count: cellCount };
  const mask = sharedMask(intersectMasks(masks[0] ?? all, ...masks.slice(1)));
  return { mask, thresholds, filterCounts, histograms, ...(await cellTypes(dataset, mask, signal)) };
}

/** Cells of each cell type in the mask; types that have cells in the dataset but none in the mask count 0. */
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
