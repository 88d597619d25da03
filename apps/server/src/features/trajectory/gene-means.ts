import type { AxisOrder, BinnedMeans } from '@cellfolio/analysis';
import type { Dataset } from '@cellfolio/store';
import type { Waiting } from '../../runtime/compute/analysis-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import { type OpenDatasets, requireGene } from '../../runtime/compute/open-datasets.ts';
import { datasetOf, type Selection } from '../selection/index.ts';
import type { CurvesTask } from './gene-tasks.ts';

/** A gene along an axis. */
export interface GeneMeans extends BinnedMeans {
  readonly gene: string;
  readonly rho: number;
}

/** Means of genes in the bins of an order. */
export async function geneMeans(
  { compute, datasets }: { readonly compute: Compute; readonly datasets: OpenDatasets },
  selection: Selection,
  of: {
    /** In var. */
    readonly rows: readonly number[];
    readonly order: Pick<AxisOrder, 'bins' | 'sizes'>;
    /** Of all genes. */
    readonly rho: Float64Array;
  },
  waiting: Waiting,
): Promise<GeneMeans[]> {
  const { rows, order, rho } = of;
  const dataset = datasetOf(selection);
  const { symbols } = (await datasets.get(dataset)).genes;
  const means = await compute.run<CurvesTask>({ kind: 'trajectory-curves', dataset, rows, order }, waiting);
  return means.map(({ means: values, errors }, at) => {
    const row = rows[at]!;
    return { means: values, errors, gene: symbols[row] ?? String(row), rho: rho[row]! };
  });
}

/** Rows in var of the genes that a figure is to have. Throws ApiFailure 400 where the dataset has none of that name. */
export function geneRows(dataset: Dataset, genes: readonly string[]): number[] {
  return genes.map((gene, at) => requireGene(dataset, gene, `genes.${at}`));
}
