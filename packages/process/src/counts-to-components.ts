import { principalComponents } from './components/principal-components.ts';
import type { EntryRows } from './components/entry-rows.ts';
import { takenRows } from './components/taken-rows.ts';
import { findDoublets, type DoubletReport } from './doublets/find-doublets.ts';
import type { Counts } from './load-counts.ts';
import { momentsOfGroups, takeLogarithms } from './normalised-counts.ts';
import { type CombineOptions, ProcessError, type ProcessSettings, type Samples } from './process-input.ts';
import {
  type ProcessPart,
  type ProcessProgress,
  type QualityReport,
  type Step,
  stepProgress,
} from './process-result.ts';
import { geneKinds, measuresOf } from './quality/cell-measures.ts';
import type { GeneFacts } from './quality/gene-kinds.ts';
import { planQuality, type QualityGroup } from './quality/plan-quality.ts';
import { removedText } from './quality/quality-cautions.ts';
import { variableGenesByBatch, variableGenesOf } from './variable-genes.ts';

/** As in scanpy's `normalize_total(target_sum=1e4)`, and as expression is shown. */
const targetSum = 10_000;
/** Fewer cells have no meaningful neighbourhoods. */
const minCells = 20;
interface ComputeJob {
  readonly genes: GeneFacts;
  readonly samples?: Samples;
  readonly settings: ProcessSettings;
  readonly parts: readonly ProcessPart[];
  readonly combine: CombineOptions;
  readonly threads: number;
}

export interface Components {
  readonly quality: QualityReport;
  readonly doublets?: DoubletReport;
  readonly keptCells: Int32Array;
  readonly variableGenes: Uint8Array;
  readonly coordinates: Float64Array;
  readonly components: number;
  /** Share of the variance of all variable genes in each component, from 0 to 1, descending. */
  readonly varianceShares: Float64Array;
}

/** Runs the steps from counts to principal components. Throws ProcessError. */
export async function componentsOf(
  counts: Counts,
  { genes, samples, settings, parts, combine, threads }: ComputeJob,
  report: (progress: ProcessProgress) => void,
): Promise<Components> {
  const progress = stepProgress(parts, combine);
  const step = (name: Step, done?: number) => report(progress(name, done));

  step('Quality control');
  const measures = measuresOf(counts, geneKinds(genes));
  const quality = { ...measures, ...planQuality(measures, settings.quality, samples) };
  assertEnough(quality.keep, quality);
  let doublets: DoubletReport | undefined;
  if (combine.doublets !== undefined) {
    step('Doublets');
    const within = {
      keep: quality.keep,
      samples: combine.samples ?? samples,
      threshold: combine.doubletThreshold,
    };
    doublets = await findDoublets(counts, within, threads);
  }
  const keep =
    doublets === undefined || combine.doublets === 'mark'
      ? quality.keep
      : quality.keep.map((stays, cell) => (doublets.called[cell] === 1 ? 0 : stays));
  const keptCells = Int32Array.from(positionsOf(keep));
  const cells = keptCells.length;
  if (doublets !== undefined && cells < minCells)
    throw new ProcessError('too-few-cells', doubletsText(doublets, combine, cells));

  step('Normalisation');
  const factors = quality.counts.map((total) => targetSum / total);

  step('Variable genes');
  const groups = groupsOf(keep, combine.batches);
  const moments = momentsOfGroups(counts, factors, groups);
  const geneLimit = settings.variableGenes;
  const variableGenes =
    combine.batches === undefined
      ? variableGenesOf(moments[0]!, geneLimit)
      : variableGenesByBatch(moments, geneLimit);
  const chosen = variableGenes.reduce((sum, is) => sum + is, 0);
  if (chosen < 2) {
    throw new ProcessError(
      'no-variable-genes',
      'No genes vary more between the cells than chance would have them, so no map can be drawn. Is this the whole matrix of counts?',
    );
  }

  step('Principal components');
  const rows = takenRows(counts, keptCells, variableGenes);
  takeLogarithms(
    rows,
    Float64Array.from(keptCells, (cell) => factors[cell]!),
  );
  const components = Math.min(settings.components, chosen - 1, cells - 1);
  const { coordinates, variances } = await principalComponents(rows, components, threads, (done) =>
    step('Principal components', done),
  );

  const all = totalVariance(rows);
  return {
    quality,
    ...(doublets && { doublets }),
    keptCells,
    variableGenes,
    coordinates,
    components,
    varianceShares: variances.map((variance) => variance / all),
  };
}

/** Sum of the genes' variances, with n - 1 in the denominator. */
function totalVariance({ cellCount, geneCount, words, values }: EntryRows): number {
  const sums = new Float64Array(geneCount);
  let squares = 0;
  for (let at = 0; at < words.length; at += 2) {
    const value = values[at]!;
    sums[words[at + 1]!]! += value;
    squares += value * value;
  }
  return (squares - sums.reduce((sum, one) => sum + one ** 2, 0) / cellCount) / (cellCount - 1);
}

function groupsOf(
  keep: Uint8Array,
  batches: Samples | undefined,
): { groups: Int32Array; groupCount: number } {
  const codes = Int32Array.from(keep, (stays, cell) => (stays === 1 ? (batches?.codes[cell] ?? 0) : -1));
  const present = [...new Set(codes)].filter((code) => code >= 0).toSorted((a, b) => a - b);
  const groupOf = new Map(present.map((code, group) => [code, group]));
  return { groups: codes.map((code) => groupOf.get(code) ?? -1), groupCount: present.length };
}

function* positionsOf(marks: Uint8Array): Iterable<number> {
  for (let at = 0; at < marks.length; at++) if (marks[at] === 1) yield at;
}

function doubletsText(
  { called, groups }: DoubletReport,
  { doubletThreshold }: CombineOptions,
  left: number,
): string {
  const cells = groups.reduce((sum, group) => sum + group.cells, 0);
  const removed = called.reduce((sum, is) => sum + is, 0);
  const [threshold, remedy] =
    doubletThreshold === undefined
      ? ['', 'Set a threshold of doublet scores']
      : [` (threshold ${doubletThreshold})`, 'Set a greater threshold of doublet scores'];
  return `${removed} of the ${cells} cells that passed quality control were called doublets${threshold}, so that ${left} are left, and at least ${minCells} are needed. ${remedy}, or keep doublets.`;
}

/** Throws ProcessError `too-few-cells` if too few pass quality control. */
function assertEnough(keep: Uint8Array, { groups, removed }: QualityReport): void {
  const keptCount = keep.reduce((sum, stays) => sum + stays, 0);
  if (keptCount >= minCells) return;
  const [{ thresholds }] = groups as [QualityGroup];
  const { minimumCounts, minimumGenes, maximumMitochondrial } = thresholds;
  const mitochondrial =
    maximumMitochondrial === undefined
      ? ''
      : `, at most ${(maximumMitochondrial * 100).toFixed(1)} % mitochondrial`;
  const need =
    groups.length > 1
      ? `by the thresholds of ${groups.length} samples`
      : `at least ${minimumCounts} counts and ${minimumGenes} genes${mitochondrial}`;
  throw new ProcessError(
    'too-few-cells',
    `${keptCount} of ${keep.length} cells pass quality control (${need}; ${removedText(removed)}), and at least ${minCells} are needed. Loosen the filters, or check that the matrix is the right way round.`,
  );
}
