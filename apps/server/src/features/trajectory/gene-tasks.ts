import {
  benjaminiHochberg,
  type BinnedMeans,
  binnedMeans,
  correlationP,
  type GenesAlong,
  genesAlongAxis,
  type AxisOrder,
} from '@cellfolio/analysis';
import type { Dataset } from '@cellfolio/store';
import { type DatasetRef, type Task, taskKind } from '../../runtime/compute/task.ts';
import { zerosIn } from '../../runtime/p-value-cautions.ts';
import { csvLine } from '../../runtime/tables/result-csv.ts';

export interface GeneBlockTask extends Task<GenesAlong> {
  kind: 'trajectory-genes';
  dataset: DatasetRef;
  /** Arrays are in shared memory. */
  order: AxisOrder;
  from: number;
  to: number;
}

export interface GeneTableTask extends Task<GeneTable> {
  kind: 'trajectory-table';
  dataset: DatasetRef;
  blocks: readonly GenesAlong[];
  order: Pick<AxisOrder, 'cellCount' | 'places'>;
}

export interface GeneTable {
  /** CSV lines without header, strongest correlation first. */
  rows: string;
  /** Genes that vary, and those with an adjusted p below 0.05 that rise and fall. */
  tested: number;
  rising: number;
  falling: number;
  /** Genes whose p-value underflows to 0. */
  zeroPs: number;
  /** Rows in var of the most correlated genes in each direction. */
  mostRising: readonly number[];
  mostFalling: readonly number[];
  /** Per gene; NaN when it does not vary. */
  rho: Float64Array;
}

export interface CurvesTask extends Task<readonly BinnedMeans[]> {
  kind: 'trajectory-curves';
  dataset: DatasetRef;
  /** Rows in var. */
  rows: readonly number[];
  order: Pick<AxisOrder, 'bins' | 'sizes'>;
}

export const geneColumns = ['names', 'rho', 'pvals', 'pvals_adj', 'pct_nz', 'mean', 'peak'];
export const countedP = 0.05;
const maxOfDirection = 20;

function tableOf({ blocks, order }: GeneTableTask, dataset: Dataset): GeneTable {
  const { geneCount } = dataset.manifest;
  const { symbols } = dataset.genes;
  const rho = new Float64Array(geneCount).fill(NaN);
  const shares = new Float64Array(geneCount);
  const means = new Float64Array(geneCount);
  const peaks = new Float64Array(geneCount);
  for (const block of blocks) {
    rho.set(block.rho, block.firstGene);
    means.set(block.means, block.firstGene);
    block.expressing.forEach((cells, at) => (shares[block.firstGene + at] = cells / order.cellCount));
    block.peaks.forEach((bin, at) => (peaks[block.firstGene + at] = order.places[bin]!));
  }
  const tested = Int32Array.from(rho.keys()).filter((row) => !Number.isNaN(rho[row]));
  const p = Float64Array.from(tested, (row) => correlationP(rho[row]!, order.cellCount));
  const adjusted = new Float64Array(geneCount).fill(NaN);
  const plain = new Float64Array(geneCount).fill(NaN);
  benjaminiHochberg(p).forEach((value, at) => (adjusted[tested[at]!] = value));
  p.forEach((value, at) => (plain[tested[at]!] = value));
  const size = (row: number) => (Number.isNaN(rho[row]) ? -1 : Math.abs(rho[row]!));
  const ranked = Int32Array.from(rho.keys()).sort((one, other) => size(other) - size(one) || one - other);
  const lines: string[] = [];
  for (const row of ranked) {
    const numbers = [rho, plain, adjusted, shares, means, peaks].map((column) => column[row]!);
    lines.push(csvLine([symbols[row] ?? String(row), ...numbers]));
  }
  const significant = (direction: number) =>
    Array.from(ranked).filter((row) => adjusted[row]! < countedP && rho[row]! * direction > 0);
  const [up, down] = [significant(1), significant(-1)];
  return {
    rows: lines.join(''),
    tested: tested.length,
    rising: up.length,
    falling: down.length,
    zeroPs: zerosIn(p),
    mostRising: up.slice(0, maxOfDirection),
    mostFalling: down.slice(0, maxOfDirection),
    rho,
  };
}

async function curvesOf(
  { rows, order }: CurvesTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<readonly BinnedMeans[]> {
  const curves: BinnedMeans[] = [];
  for (const row of rows) {
    const { cells, values } = await dataset.gene(row, signal);
    curves.push(binnedMeans(cells, values, order));
  }
  return curves;
}

export const geneTasks = [
  taskKind<GeneBlockTask>('trajectory-genes', ({ from, to, order }, { dataset, signal }) =>
    dataset.useGeneBlock(from, to, (block) => genesAlongAxis(block, order), signal),
  ),
  taskKind<GeneTableTask>('trajectory-table', (task, { dataset }) => tableOf(task, dataset)),
  taskKind<CurvesTask>('trajectory-curves', (task, { dataset, signal }) => curvesOf(task, dataset, signal)),
];
