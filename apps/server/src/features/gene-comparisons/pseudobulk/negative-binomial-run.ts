import { joinedDispersions, joinedFits } from '@cellfolio/analysis';
import { runAll, type CallContext } from '../../../runtime/compute/analysis-work.ts';
import type { Compute } from '../../../runtime/compute/compute-pool.ts';
import type {
  CountedGenesTask,
  DispersionPriorTask,
  DispersionsTask,
  FittedTableTask,
  GeneFitsTask,
  SimulatedSetTask,
} from './negative-binomial-tasks.ts';
import { blocksOf, runBlocks } from './sum-blocks.ts';
import type { DesignedSums, SumTable } from './sum-table.ts';

const simulatedSets = 10;

/**
 * Tests the sums of all parts by the negative binomial model. Dispersions and fits are independent per gene, so they
 * are cut into blocks over the compute threads; the steps that combine all genes run in between.
 */
export async function testByCounts(
  compute: Compute,
  parts: readonly DesignedSums[],
  call: CallContext,
): Promise<SumTable[]> {
  const counted = await runAll<CountedGenesTask>(
    compute,
    parts.map((of) => ({ kind: 'sum-sizes', dataset: of.dataset, of })),
    'Reading the sums',
    call,
  );
  const usable = parts.flatMap((of, at) => {
    const counts = counted[at]!;
    if ('refusal' in counts) return [];
    return { of, found: counts, blocks: blocksOf(counts.genes, of.places.length) };
  });
  const genewise = await runBlocks<DispersionsTask>(
    compute,
    usable.map(({ of, found: { sizeFactors }, blocks }) =>
      blocks.map((genes) => ({ kind: 'sum-dispersions', dataset: of.dataset, of, sizeFactors, genes })),
    ),
    'Estimating the dispersions',
    call,
  );
  const priors = await runAll<DispersionPriorTask>(
    compute,
    usable.map(({ of: { design } }, at) => {
      const { baseMeans, dispersions } = joinedDispersions(genewise[at]!);
      return { kind: 'dispersion-prior', design, genewise: { baseMeans, dispersions } };
    }),
    'Drawing the curve of the dispersions',
    call,
  );
  // From the part with the fewest degrees of freedom, whose estimates are the least certain.
  const degrees = usable.map(({ of: { design } }) => design.sampleCount - design.columns.length);
  const simulated = degrees.indexOf(Math.min(...degrees));
  const falseShares = await runAll<SimulatedSetTask>(
    compute,
    usable.slice(simulated, simulated + 1).flatMap(({ of: { design, contrast }, found: { sizeFactors } }) => {
      const { baseMeans } = joinedDispersions(genewise[simulated]!);
      const from = { samples: { design, sizeFactors }, contrast, baseMeans, prior: priors[simulated]! };
      return Array.from({ length: simulatedSets }, (_, set) => ({
        kind: 'sum-simulated-set',
        from,
        seed: `${set}`,
      }));
    }),
    'Simulating false discoveries',
    call,
  );
  const fits = await runBlocks<GeneFitsTask>(
    compute,
    usable.map(({ of, found: { sizeFactors }, blocks }, at) =>
      blocks.map((genes, block) => ({
        kind: 'sum-fits',
        dataset: of.dataset,
        of,
        sizeFactors,
        genes,
        genewise: genewise[at]![block]!,
        prior: priors[at]!,
      })),
    ),
    'Fitting the genes',
    call,
  );
  const tables = await runAll<FittedTableTask>(
    compute,
    usable.map(({ of, found: { sizeFactors, genes } }, at) => ({
      kind: 'sum-fitted-table',
      isLong: true,
      dataset: of.dataset,
      of,
      sizeFactors,
      genes,
      prior: priors[at]!,
      fits: joinedFits(fits[at]!),
      falseShares: at === simulated ? falseShares : [],
    })),
    'Testing the genes',
    call,
  );
  let next = 0;
  return counted.map((outcome) => ('refusal' in outcome ? outcome : tables[next++]!));
}
