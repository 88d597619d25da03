import type { AxisOrder, BinnedMeans } from '@cellfolio/analysis';
import type { ResultCaution } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import { type OpenDatasets, requireGene } from '../../runtime/compute/open-datasets.ts';
import { otherNameCautions, otherNamesAmong } from '../../runtime/gene-names/named-genes.ts';
import { datasetOf, type Selection } from '../selection/index.ts';
import type { CurvesTask } from './gene-tasks.ts';

export interface GeneMeans extends BinnedMeans {
  gene: string;
  rho: number;
}

export async function geneMeans(
  { compute, datasets }: { compute: Compute; datasets: OpenDatasets },
  selection: Selection,
  of: {
    /** Rows in var. */
    rows: readonly number[];
    order: Pick<AxisOrder, 'bins' | 'sizes'>;
    /** One per gene of the dataset. */
    rho: Float64Array;
  },
  call: CallContext,
): Promise<GeneMeans[]> {
  const { rows, order, rho } = of;
  const dataset = datasetOf(selection);
  const { symbols } = (await datasets.get(dataset)).genes;
  const means = await compute.run<CurvesTask>({ kind: 'trajectory-curves', dataset, rows, order }, call);
  return means.map(({ means: values, errors }, at) => {
    const row = rows[at]!;
    return { means: values, errors, gene: symbols[row] ?? String(row), rho: rho[row]! };
  });
}

/** Rows in var of the genes for a figure. Throws ApiFailure 400 when the dataset has no gene of that name. */
export function geneRows(dataset: Dataset, genes: readonly string[]): number[] {
  return genes.map((gene, at) => requireGene(dataset, gene, `genes.${at}`));
}

/** How the genes for a figure were found. */
export function geneNameCautions({ genes }: Dataset, names: readonly string[] = []): ResultCaution[] {
  return otherNameCautions(otherNamesAmong(genes, names), 'the curves');
}
