import {
  adjustedPresent,
  type AxisOrder,
  correlationP,
  type CorrelationsWithin,
  correlationsWithin,
  type GenesAlong,
  genesAlongAxis,
  curveTests,
  type SampleRanks,
  type SplineBasis,
  type SplineTests,
  splineTests,
} from '@cellfolio/analysis';
import type { Dataset } from '@cellfolio/store';
import { type DatasetRef, type Task, taskKind } from '../../runtime/compute/task.ts';
import { zerosIn } from '../../runtime/p-value-cautions.ts';
import { csvLine } from '../../runtime/tables/result-csv.ts';

/** Tests the genes [from, to) along an axis. The arrays of cells are in shared memory. */
export interface TestGenesTask extends Task<TestedGenes> {
  kind: 'gradient-genes';
  dataset: DatasetRef;
  order: AxisOrder;
  basis: SplineBasis;
  within: SampleRanks | undefined;
  from: number;
  to: number;
}

interface TestedGenes {
  along: GenesAlong;
  curves: SplineTests;
  within: CorrelationsWithin | undefined;
}

export interface GradientTableTask extends Task<GradientTable> {
  kind: 'gradient-table';
  dataset: DatasetRef;
  blocks: readonly TestedGenes[];
  order: Pick<AxisOrder, 'cellCount' | 'places'>;
  curve: Pick<SplineBasis, 'degrees' | 'left' | 'replicates'>;
  /** Rows in var of the genes that define the axis. */
  ownRows: readonly number[];
}

export interface GradientTable {
  columns: readonly string[];
  /** CSV lines without header, most significant first. */
  rows: string;
  /** Genes that vary and do not define the axis. */
  tested: number;
  /** Genes with an adjusted p below 0.05: rising, falling, and with a turning curve. */
  rising: number;
  falling: number;
  turning: number;
  /** P-values of correlations and of curves that underflow to 0. */
  zeroPs: number;
  /** Rows in var of the first of each kind, most significant first; the lists are disjoint. */
  mostSignificant: {
    rising: readonly number[];
    falling: readonly number[];
    turning: readonly number[];
  };
  /** Per gene; NaN when not tested. */
  rho: Float64Array;
  /** Degrees of freedom of the F test of curves below the line. */
  below: number;
}

export const countedP = 0.05;
/**
 * A curve with at least two degrees of freedom counts as turning when it explains this many times what a correlation
 * does.
 */
const turningRatio = 2;
const maxOfKind = 12;

const testColumns = {
  first: ['names', 'rho', 'pvals', 'pvals_adj'],
  samples: ['samples', 'agreeing', 'rho_all_cells'],
  last: ['f', 'f_pvals', 'f_pvals_adj', 'explained', 'range', 'peak', 'pct_nz', 'mean'],
};

function testGenes(
  { order, basis, within }: TestGenesTask,
  block: Parameters<typeof splineTests>[0],
): TestedGenes {
  return {
    along: genesAlongAxis(block, order),
    curves: splineTests(block, basis),
    within: within && correlationsWithin(block, within),
  };
}

/** Combines the blocks into columns of all genes; tests of the axis' own genes become NaN. */
function columnsOf({ blocks, order, ownRows, curve }: GradientTableTask, geneCount: number) {
  const column = () => new Float64Array(geneCount).fill(NaN);
  const all = {
    rho: column(),
    p: column(),
    rhoAll: column(),
    samples: column(),
    agreeing: column(),
    f: column(),
    explained: column(),
    variation: column(),
    normality: column(),
    range: column(),
    peak: column(),
    share: column(),
    mean: column(),
  };
  const shape = new Float64Array(curve.degrees ** 2);
  for (const { along, curves, within } of blocks) {
    curves.shape.forEach((value, at) => (shape[at]! += value));
    const { firstGene: first } = along;
    const p = within?.p ?? along.rho.map((rho) => correlationP(rho, order.cellCount));
    all.rho.set(within?.rho ?? along.rho, first);
    all.p.set(p, first);
    all.rhoAll.set(along.rho, first);
    if (within) {
      all.samples.set(within.tested, first);
      all.agreeing.set(within.agreeing, first);
    }
    all.f.set(curves.f, first);
    all.explained.set(curves.explained, first);
    all.variation.set(curves.variation, first);
    all.normality.set(curves.normality, first);
    all.range.set(along.ranges, first);
    all.peak.set(
      Float64Array.from(along.peaks, (bin) => order.places[bin]!),
      first,
    );
    all.share.set(
      Float64Array.from(along.expressing, (cells) => cells / order.cellCount),
      first,
    );
    all.mean.set(along.means, first);
  }
  for (const row of ownRows) {
    for (const column of [
      all.rho,
      all.p,
      all.rhoAll,
      all.samples,
      all.agreeing,
      all.f,
      all.explained,
      all.variation,
    ]) {
      column[row] = NaN;
    }
  }
  const adjusted = adjustedPresent(all.p);
  const { f, p: fP, below } = curveTests({ ...all, shape }, curve);
  return { ...all, adjusted, f, fP, fAdjusted: adjustedPresent(fP), below };
}

function tableOf(task: GradientTableTask, dataset: Dataset): GradientTable {
  const { symbols } = dataset.genes;
  const all = columnsOf(task, dataset.manifest.geneCount);
  const { rho, p, adjusted, fAdjusted, explained } = all;
  const ranked = surestFirst(p, rho);
  const bySamples = task.blocks.some(({ within }) => within !== undefined);
  const ofSamples = bySamples ? [all.samples, all.agreeing, all.rhoAll] : [];
  const last = [all.f, all.fP, fAdjusted, explained, all.range, all.peak, all.share, all.mean];
  const numbers = [rho, p, adjusted, ...ofSamples, ...last];
  const lines: string[] = [];
  for (const row of ranked) {
    lines.push(csvLine([symbols[row] ?? String(row), ...numbers.map((column) => column[row]!)]));
  }
  const following = (direction: number) =>
    [...ranked].filter((row) => adjusted[row]! < countedP && rho[row]! * direction > 0);
  const [rising, falling] = [following(1), following(-1)];
  const turning = [...surestFirst(all.fP, explained)].filter(
    (row) =>
      task.curve.degrees > 1 && fAdjusted[row]! < countedP && explained[row]! > turningRatio * rho[row]! ** 2,
  );
  const turns = new Set(turning.slice(0, maxOfKind));
  const straight = (rows: readonly number[]) => rows.filter((row) => !turns.has(row)).slice(0, maxOfKind);
  return {
    columns: [...testColumns.first, ...(bySamples ? testColumns.samples : []), ...testColumns.last],
    rows: lines.join(''),
    tested: p.reduce((count, one) => count + (Number.isNaN(one) ? 0 : 1), 0),
    rising: rising.length,
    falling: falling.length,
    turning: turning.length,
    zeroPs: zerosIn(p) + zerosIn(all.fP),
    mostSignificant: { rising: straight(rising), falling: straight(falling), turning: [...turns] },
    rho,
    below: all.below,
  };
}

/** Rows in var by ascending p, ties by descending size; those without a p last. */
function surestFirst(p: Float64Array, size: Float64Array): Int32Array {
  const place = (row: number) => (Number.isNaN(p[row]) ? 2 : p[row]!);
  const sizeOf = (row: number) => (Number.isNaN(size[row]) ? 0 : Math.abs(size[row]!));
  return Int32Array.from(p.keys()).sort(
    (one, other) => place(one) - place(other) || sizeOf(other) - sizeOf(one) || one - other,
  );
}

export const geneTasks = [
  taskKind<TestGenesTask>('gradient-genes', (task, { dataset, signal }) =>
    dataset.useGeneBlock(task.from, task.to, (block) => testGenes(task, block), signal),
  ),
  taskKind<GradientTableTask>('gradient-table', (task, { dataset }) => tableOf(task, dataset)),
];
