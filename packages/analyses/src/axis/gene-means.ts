import { type AxisOrder, type BinnedMeans, binnedMeans } from '@cellfolio/analysis';
import { sharedCopy } from '@cellfolio/model';
import type { Context, GeneRange, ThreadDataset } from '../context.ts';
import type { GeneAlong } from './fields.ts';

export interface MeansInput {
  /** In var. */
  readonly rows: readonly number[];
  readonly order: Pick<AxisOrder, 'bins' | 'sizes'>;
}

export const meanSteps = {
  async means({ rows, order }: MeansInput, dataset: ThreadDataset): Promise<readonly BinnedMeans[]> {
    const means: BinnedMeans[] = [];
    for (const row of rows) {
      const gene: GeneRange = { from: row, to: row + 1 };
      means.push(await dataset.useExpression(gene, ({ cells, values }) => binnedMeans(cells, values, order)));
    }
    return means;
  },
};

/** Genes along an order of the cells; `rho` has one value per gene of the dataset. */
export async function geneMeans(
  { rows, order: { bins, sizes }, rho }: MeansInput & { readonly rho: Float64Array },
  context: Context<typeof meanSteps>,
): Promise<GeneAlong[]> {
  const { symbols } = context.dataset;
  const means = await context.compute('means', { rows, order: { bins, sizes } });
  return means.map(({ means: values, errors }, at) => {
    const row = rows[at]!;
    return { means: values, errors, gene: symbols[row] ?? String(row), rho: rho[row]! };
  });
}

/** The order with the arrays of cells in shared memory. */
export function sharedOrder({ ranks, bins, ...order }: AxisOrder): AxisOrder {
  return { ...order, ranks: sharedCopy(ranks), bins: sharedCopy(bins) };
}
