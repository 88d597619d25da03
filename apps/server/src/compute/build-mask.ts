import {
  categoryMask,
  genePercentileMask,
  intersectMasks,
  presenceMask,
  scorePercentileMask,
} from '@cellfolio/analysis';
import { type CellMask, isCategorical } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { categoryCounts } from '../services/obs-summary.ts';
import { categoricalColumn } from './columns.ts';
import { sharedMask } from './shared.ts';
import type { BuiltMask, MaskTask, Thresholds } from './task.ts';

/** The cells that all parts of a filter keep. Percentiles are over all cells of the dataset. */
export async function buildMask(task: MaskTask, dataset: Dataset, signal: AbortSignal): Promise<BuiltMask> {
  const thresholds: Thresholds = {};
  const masks: CellMask[] = [];
  if (task.gene) {
    const { row, rule } = task.gene;
    const gene = await dataset.gene(row, signal);
    if (typeof rule === 'string') masks.push(presenceMask(gene, rule));
    else {
      const kept = genePercentileMask(gene, rule);
      thresholds.gene = [...kept.thresholds];
      masks.push(kept.mask);
    }
  }
  if (task.signature) {
    const kept = scorePercentileMask(task.signature.scores, task.signature.range);
    thresholds.signature = [...kept.thresholds];
    masks.push(kept.mask);
  }
  for (const { name, categories } of task.columns) {
    masks.push(categoryMask(await categoricalColumn(dataset, name, signal), categories));
  }
  const { cellCount } = dataset.manifest;
  const all: CellMask = { bits: new Uint8Array(cellCount).fill(1), count: cellCount };
  const mask = sharedMask(intersectMasks(masks[0] ?? all, ...masks.slice(1)));
  return { mask, thresholds, cellTypeCounts: await cellTypeCounts(dataset, mask, signal) };
}

/** Cells of each cell type in the mask; types that have cells in the dataset but none in the mask count 0. */
async function cellTypeCounts(
  dataset: Dataset,
  mask: CellMask,
  signal: AbortSignal,
): Promise<[string, number][]> {
  const name = dataset.manifest.roles.cellType;
  const column = name === undefined ? undefined : await dataset.obs(name, signal);
  if (!isCategorical(column)) return [];
  const inside = categoryCounts(column, mask);
  return Array.from(categoryCounts(column).keys(), (name) => [name, inside.get(name) ?? 0]);
}
