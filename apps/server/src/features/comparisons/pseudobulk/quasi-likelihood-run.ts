import { joined, joinedQuasiFits } from '@cellfolio/analysis';
import { runAll, type CallContext } from '../../../runtime/compute/analysis-work.ts';
import type { Compute } from '../../../runtime/compute/compute-pool.ts';
import type {
  NormalisedTask,
  ProfilesTask,
  QuasiFitsTask,
  QuasiTableTask,
  QuasiTrendTask,
} from './quasi-likelihood-tasks.ts';
import { blocksOf, runBlocks } from './sum-blocks.ts';
import type { DesignedSums, SumTable } from './sum-table.ts';

/**
 * Tests the sums of all parts by quasi-likelihood: likelihoods and fits are independent per gene, and cut into blocks.
 */
export async function testByQuasiLikelihood(
  compute: Compute,
  parts: readonly DesignedSums[],
  call: CallContext,
): Promise<SumTable[]> {
  const normalised = await runAll<NormalisedTask>(
    compute,
    parts.map((of) => ({ kind: 'sum-normalised', dataset: of.dataset, of })),
    'Reading the sums',
    call,
  );
  const usable = parts.flatMap((of, at) => {
    const found = normalised[at]!;
    if ('refusal' in found) return [];
    const { genes, effectiveSizes: sizes } = found;
    return { part: { dataset: of.dataset, of }, found, sizes, blocks: blocksOf(genes, of.places.length) };
  });
  const profiles = await runBlocks<ProfilesTask>(
    compute,
    usable.map(({ part, sizes, blocks }) =>
      blocks.map((genes) => ({ kind: 'sum-profiles', ...part, sizes, genes })),
    ),
    'Estimating the dispersions',
    call,
  );
  const trends = await runAll<QuasiTrendTask>(
    compute,
    usable.map(({ part, sizes, found: { genes } }, at) => ({
      kind: 'sum-quasi-trend',
      ...part,
      sizes,
      genes,
      profiles: joined(profiles[at]!),
    })),
    'Drawing the curve of the dispersions',
    call,
  );
  const fits = await runBlocks<QuasiFitsTask>(
    compute,
    usable.map(({ part, sizes, blocks }, at) => {
      let from = 0;
      return blocks.map((genes) => {
        const dispersions = trends[at]!.dispersions.slice(from, (from += genes.length));
        return { kind: 'sum-quasi-fits', ...part, sizes, genes, dispersions };
      });
    }),
    'Fitting the genes',
    call,
  );
  const tables = await runAll<QuasiTableTask>(
    compute,
    usable.map(({ part, found }, at) => ({
      kind: 'sum-quasi-table',
      isLong: true,
      dataset: part.dataset,
      of: part.of,
      found,
      trend: trends[at]!,
      fits: joinedQuasiFits(fits[at]!),
    })),
    'Testing the genes',
    call,
  );
  let next = 0;
  return normalised.map((outcome) => ('refusal' in outcome ? outcome : tables[next++]!));
}
