import { passes } from '@cellfolio/analysis';
import { markerParameters, scanpyCellTest } from '@cellfolio/analysis/parameters';
import type { BenchCase } from '../../bench/src/bench-context.ts';
import { collectResults } from '../../bench/src/measure/result.ts';
import { groupRanking, groupShares, simulatedGroups } from './simulated-cells.ts';

const seeds = 20;
const rate = 0.05;
const sparse = 0.1;
const defaults = markerParameters.parse({ groupby: 'group' });
const limits = {
  nGenes: Infinity,
  maxAdjustedP: defaults.pvals_adj,
  minLogFoldChange: defaults.logfoldchanges,
};
/** Log fold changes beyond it are due to the pseudocount: the group hardly expresses the gene. */
const absurdChange = 15;

const tests = [
  { name: 'as scanpy', ...defaults, ...scanpyCellTest },
  { name: 'ties corrected, pseudocount 1e-9', ...defaults, ...scanpyCellTest, tie_correct: true },
  { name: 'pseudocount 1', ...defaults, sparse_genes: 'approximate' },
  { name: 'default', ...defaults },
] as const;

export const tiesCase: BenchCase = {
  name: 'ties',
  title:
    '3,000 simulated cells in four groups, 2,000 mostly sparse genes: markers with and without correction for ties',
  run({ options, report }) {
    const count = options.repeat ?? seeds;
    const results = collectResults();
    for (let seed = 1; seed <= count; seed++) {
      const [none, some] = [simulatedGroups(seed, false), simulatedGroups(seed, true)];
      const isSparse = (gene: number) => none.expressing[gene]! > 0 && none.expressing[gene]! < sparse;
      for (const test of tests) {
        groupRanking(none, test).forEach((ranking, group) => {
          const of = `${test.name}, no gene changed, group of ${Math.round(100 * groupShares[group]!)} %`;
          const genes = [...ranking.pvals.keys()].filter(isSparse);
          results.add(
            `${of}: sparse genes with p < 0.05`,
            'share',
            genes.filter((gene) => ranking.pvals[gene]! < rate).length / genes.length,
          );
          results.add(
            `${of}: sparse genes called`,
            'genes',
            genes.filter((gene) => passes(ranking, limits, gene)).length,
          );
        });
        let [right, wrong, absurd] = [0, 0, 0];
        groupRanking(some, test).forEach((ranking, group) => {
          for (let gene = 0; gene < ranking.pvals.length; gene++) {
            if (Math.abs(ranking.logfoldchanges[gene]!) > absurdChange) absurd++;
            if (!passes(ranking, limits, gene)) continue;
            if (some.markerOf[gene] === group) right++;
            else wrong++;
          }
        });
        const all = some.markerOf.filter((group) => group >= 0).length;
        results.add(`${test.name}: of the markers, found`, 'share', right / all);
        results.add(`${test.name}: false among markers`, 'share', wrong / Math.max(1, right + wrong));
        results.add(`${test.name}: |log2 fold change| > ${absurdChange}`, 'genes', absurd);
      }
      if (seed % 5 === 0) report(`  ${seed} of ${count} seeds`);
    }
    return { results: results.list(), notes: [] };
  },
};
