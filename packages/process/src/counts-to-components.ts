import { principalComponents } from './components/principal-components.ts';
import type { EntryRows } from './components/entry-rows.ts';
import { takenRows } from './components/taken-rows.ts';
import { findDoublets, type DoubletReport } from './doublets/find-doublets.ts';
import { type Counts, eachVector } from './load-counts.ts';
import { type CombineOptions, ProcessError, type ProcessSettings, type Samples } from './process-input.ts';
import {
  type ProcessPart,
  type ProcessProgress,
  type QualityReport,
  type Step,
  stepProgress,
} from './process-result.ts';
import { geneKinds, measuresOf } from './quality/cell-measures.ts';
import type { GeneFacts } from '@cellfolio/model';
import { planQuality, type QualityGroup } from './quality/plan-quality.ts';
import { removedText } from './quality/quality-cautions.ts';
import { variableGenesByBatch, variableGenesOf, type GeneMoments } from './variable-genes.ts';

/** As in scanpy's `normalize_total(target_sum=1e4)`, and as expression is shown. */
const targetSum = 10_000;
/** Fewer cells have no meaningful neighbourhoods. */
const minCells = 20;
interface ComputeJob {
  genes: GeneFacts;
  samples?: Samples;
  settings: ProcessSettings;
  parts: readonly ProcessPart[];
  combine: CombineOptions;
  threads: number;
}

export interface Components {
  quality: QualityReport;
  doublets?: DoubletReport;
  keptCells: Int32Array;
  variableGenes: Uint8Array;
  coordinates: Float64Array;
  components: number;
  /** Share of the variance of all variable genes in each component, from 0 to 1, descending. */
  varianceShares: Float64Array;
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

  step('Normalization');
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

/**
 * Moments of each gene in each group of cells, with counts multiplied by the factor of their cell. `groups`: group of
 * each cell from 0, or -1 for none.
 */
function momentsOfGroups(
  counts: Counts,
  factors: Float64Array,
  { groups, groupCount }: { groups: Int32Array; groupCount: number },
): GeneMoments[] {
  const { geneCount } = counts;
  // The sum of a gene and that of its squares, side by side.
  const sums = new Float64Array(2 * geneCount * groupCount);
  eachVector(counts, {
    cell: (cell, { indices, counts: values }, from, to) => {
      const factor = factors[cell]!;
      const first = 2 * groups[cell]! * geneCount;
      if (first < 0) return;
      for (let at = from; at < to; at++) {
        const value = values[at]! * factor;
        const sum = first + 2 * indices[at]!;
        sums[sum]! += value;
        sums[sum + 1]! += value * value;
      }
    },
    gene: (gene, { indices, counts: values }, from, to) => {
      for (let at = from; at < to; at++) {
        const group = groups[indices[at]!]!;
        if (group < 0) continue;
        const value = values[at]! * factors[indices[at]!]!;
        const sum = 2 * (group * geneCount + gene);
        sums[sum]! += value;
        sums[sum + 1]! += value * value;
      }
    },
  });
  const sizes = new Int32Array(groupCount);
  for (const group of groups) if (group >= 0) sizes[group]! += 1;
  return Array.from(sizes, (size, group) => {
    const means = new Float64Array(geneCount);
    const variances = new Float64Array(geneCount);
    for (let gene = 0; gene < geneCount; gene++) {
      const at = 2 * (group * geneCount + gene);
      means[gene] = sums[at]! / size;
      variances[gene] = Math.max(0, (sums[at + 1]! - sums[at]! * means[gene]!) / (size - 1));
    }
    return { means, variances };
  });
}

/** A cell has few different counts: logarithms of those below this are computed once. */
const smallCounts = 32;

/** Replaces counts x, multiplied by the factor of their cell, by log2(1 + x). */
function takeLogarithms({ cellCount, pointers, values }: EntryRows, factors: Float64Array): void {
  const logarithms = new Float64Array(smallCounts);
  for (let cell = 0; cell < cellCount; cell++) {
    const factor = factors[cell]!;
    logarithms.fill(0);
    const end = 2 * pointers[cell + 1]!;
    for (let at = 2 * pointers[cell]!; at < end; at += 2) {
      const count = values[at]!;
      const cached = count < smallCounts ? logarithms[count]! : 0;
      const logarithm = cached || Math.log1p(count * factor) * Math.LOG2E;
      if (count < smallCounts) logarithms[count] = logarithm;
      values[at] = logarithm;
    }
  }
}
