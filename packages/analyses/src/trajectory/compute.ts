import {
  adjustedPresent,
  type AxisOrder,
  correlationP,
  type GenesAlong,
  genesAlongAxis,
} from '@cellfolio/analysis';
import { countedP } from '../axis/fields.ts';
import { meanSteps } from '../axis/gene-means.ts';
import { pseudotimeSteps } from '../axis/pseudotime-steps.ts';
import type { GeneRange, ThreadDataset } from '../context.ts';

const maxOfDirection = 20;

function test(
  { order, ...genes }: GeneRange & { readonly order: AxisOrder },
  dataset: ThreadDataset,
): Promise<GenesAlong> {
  return dataset.useExpression(genes, (block) => genesAlongAxis(block, order));
}

interface RankInput {
  readonly blocks: readonly GenesAlong[];
  readonly order: Pick<AxisOrder, 'cellCount' | 'places'>;
}

/** Tests the correlations of all genes, and makes their table, the strongest correlation first. */
function rank({ blocks, order }: RankInput, { symbols }: ThreadDataset) {
  const { length: geneCount } = symbols;
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
  const p = rho.map((value) => (Number.isNaN(value) ? NaN : correlationP(value, order.cellCount)));
  const adjusted = adjustedPresent(p);
  const size = (row: number) => (Number.isNaN(rho[row]) ? -1 : Math.abs(rho[row]!));
  const ranked = Int32Array.from(rho.keys()).sort((one, other) => size(other) - size(one) || one - other);
  const significant = (direction: number) =>
    Array.from(ranked).filter((row) => adjusted[row]! < countedP && rho[row]! * direction > 0);
  const [up, down] = [significant(1), significant(-1)];
  const column = (values: Float64Array) => Float64Array.from(ranked, (row) => values[row]!);
  return {
    table: {
      names: Array.from(ranked, (row) => symbols[row] ?? String(row)),
      rho: column(rho),
      pvals: column(p),
      pvals_adj: column(adjusted),
      pct_nz: column(shares),
      mean: column(means),
      peak: column(peaks),
    },
    /** Genes that vary, and those with an adjusted p below 0.05 that rise and fall. */
    tested: p.filter((value) => !Number.isNaN(value)).length,
    rising: up.length,
    falling: down.length,
    /** P-values that underflow to 0. */
    zeroPs: p.filter((value) => value === 0).length,
    /** Rows in var of the most correlated genes that rise, and that fall. */
    most: [...up.slice(0, maxOfDirection), ...down.slice(0, maxOfDirection)],
    /** Per gene; NaN when it does not vary. */
    rho,
  };
}

export const steps = { ...pseudotimeSteps, ...meanSteps, test, rank };
