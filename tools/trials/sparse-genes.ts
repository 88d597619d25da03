import { blockStatistics, cellGroups, markerTest, rankGenes } from '@cellfolio/analysis';
import { markerParameters } from '@cellfolio/analysis/parameters';
import type { GeneBlock } from '@cellfolio/model';
import type { BenchCase } from '../../bench/src/bench-context.ts';
import { categorical } from '../../bench/src/data/generated-file.ts';
import { SeededBits } from '../../bench/src/data/seeded-bits.ts';
import { collectResults } from '../../bench/src/measure/result.ts';
import { blockOf, negativeBinomial } from './simulated-donors.ts';

const seeds = 5;
const geneCount = 2000;
const controls = 2000;
/** Range of a gene's mean count in a cell, drawn log-uniformly. */
const meanLimits = [0.01, 2] as const;
const changedShare = 0.02;
const rate = 0.05;

/** Groups of so many cells, each against the controls, in which changed genes have `fold` times the mean. */
const designs = [
  { cells: 20, groups: 100, fold: 4 },
  { cells: 60, groups: 50, fold: 1.6 },
  { cells: 60, groups: 50, fold: 4 },
  { cells: 200, groups: 20, fold: 1.6 },
] as const;
type Design = (typeof designs)[number];

/** Which genes that differ are passed, and what share of those that pass do not differ. */
export const sparseGenesCase: BenchCase = {
  name: 'sparse-genes',
  title:
    'simulated groups of few cells against 2,000 controls: markers with exact and with approximate tests',
  run({ options, report }) {
    const count = options.repeat ?? seeds;
    const results = collectResults();
    for (let seed = 1; seed <= count; seed++) {
      for (const design of designs) {
        const set = simulatedScreen(seed, design);
        for (const method of ['wilcoxon', 't-test'] as const) {
          for (const sparseGenes of ['approximate', 'exact'] as const) {
            const { power, falseShare } = ratesOf(set, method, sparseGenes);
            const of = `${design.cells} cells, ${design.fold}-fold, ${method}, ${sparseGenes}`;
            results.add(`${of}: of the changed genes, passed`, 'share', power);
            results.add(`${of}: false among those passed`, 'share', falseShare);
          }
        }
      }
      report(`  ${seed} of ${count} seeds`);
    }
    return { results: results.list(), notes: [] };
  },
};

interface SimulatedScreen {
  values: GeneBlock;
  /** Group of each cell; 0 is that of the controls. */
  codes: Int8Array;
  /** For each gene the groups, gene after gene. */
  isChanged: Uint8Array;
  groups: number;
}

function simulatedScreen(seed: number, { cells, groups, fold }: Design): SimulatedScreen {
  const bits = new SeededBits(seed);
  const codes = Int8Array.from({ length: controls + cells * groups }, (_, cell) =>
    cell < controls ? 0 : 1 + Math.floor((cell - controls) / cells),
  );
  const isChanged = new Uint8Array(geneCount * (groups + 1));
  const dense = new Uint16Array(geneCount * codes.length);
  const draws = new Uint32Array(codes.length);
  for (let gene = 0; gene < geneCount; gene++) {
    const mean = meanLimits[0] * (meanLimits[1] / meanLimits[0]) ** bits.uniform();
    for (let group = 1; group <= groups; group++)
      if (bits.uniform() < changedShare) isChanged[gene * (groups + 1) + group] = 1;
    bits.drawInto(draws);
    codes.forEach((group, cell) => {
      const factor = isChanged[gene * (groups + 1) + group] ? fold : 1;
      dense[gene * codes.length + cell] = negativeBinomial(draws[cell]!, factor * mean);
    });
  }
  const counts = blockOf(dense, codes.length);
  return { values: { ...counts, values: counts.values.map(Math.log1p) }, codes, isChanged, groups };
}

/** Over all groups together, at an adjusted p-value below the rate. */
function ratesOf(
  { values, codes, isChanged, groups }: SimulatedScreen,
  method: 'wilcoxon' | 't-test',
  sparseGenes: 'exact' | 'approximate',
) {
  const test = markerTest(markerParameters.parse({ groupby: 'group', method, sparse_genes: sparseGenes }));
  const names = Array.from({ length: groups + 1 }, (_, group) => String(group));
  const tested = cellGroups(categorical(codes, names));
  const ranking = rankGenes([blockStatistics(values, tested, method, 0)], tested, { ...test, reference: 0 });
  let [right, wrong] = [0, 0];
  ranking.groups.forEach(({ group }, place) => {
    ranking.rank(place).pvals_adj.forEach((p, gene) => {
      if (p >= rate) return;
      if (isChanged[gene * (groups + 1) + group]) right++;
      else wrong++;
    });
  });
  const all = isChanged.reduce((sum, one) => sum + one, 0);
  return { power: right / all, falseShare: wrong / Math.max(1, right + wrong) };
}
