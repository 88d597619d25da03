import {
  blockStatistics,
  cellGroups,
  type GroupRanking,
  type MarkerMethod,
  rankGenes,
} from '@cellfolio/analysis';
import type { GeneBlock } from '@cellfolio/model';
import { SeededBits } from '../../bench/src/data/seeded-bits.ts';
import { blockOf, logNormalised, negativeBinomial } from './simulated-donors.ts';

/** Cells of one sample in groups; as in real data, most genes are expressed in few cells. */
export interface SimulatedGroups {
  /**
   * ln(1 + 10,000 × count / counts that a cell of its size has without markers), so that markers do not change the
   * values of other genes.
   */
  readonly values: GeneBlock;
  readonly codes: Int8Array;
  readonly markerOf: Int8Array;
  readonly expressing: Float64Array;
}

const cellCount = 3000;
const geneCount = 2000;
export const groupShares = [0.6, 0.29, 0.1, 0.01];
/**
 * Mean and standard deviation of the natural logarithm of a gene's mean count in a cell: half of the genes are in fewer
 * than 5 % of the cells.
 */
const meanLog = [-3, 1.7] as const;
const markerShare = 0.2;
const markerFold = 4;
const cellSpread = 0.35;

export function simulatedGroups(seed: number, withMarkers: boolean): SimulatedGroups {
  const bits = new SeededBits(seed);
  const levels = Float64Array.from({ length: geneCount }, () =>
    Math.exp(meanLog[0] + meanLog[1] * bits.normal()),
  );
  const markerOf = Int8Array.from({ length: geneCount }, () => {
    const [chosen, group] = [bits.uniform(), bits.uniform()];
    return withMarkers && chosen < markerShare ? Math.floor(group * groupShares.length) : -1;
  });
  const ends = groupShares.map((_, group) =>
    Math.round(cellCount * groupShares.slice(0, group + 1).reduce((sum, share) => sum + share, 0)),
  );
  const codes = Int8Array.from({ length: cellCount }, (_, cell) => ends.findIndex((end) => cell < end));
  const dense = new Uint16Array(geneCount * cellCount);
  const draws = new Uint32Array(geneCount);
  const total = levels.reduce((sum, level) => sum + level, 0);
  const sizes = new Float64Array(cellCount);
  codes.forEach((group, cell) => {
    const size = Math.exp(cellSpread * bits.normal());
    sizes[cell] = size;
    bits.drawInto(draws);
    for (let gene = 0; gene < geneCount; gene++) {
      const mean = levels[gene]! * size * (markerOf[gene] === group ? markerFold : 1);
      dense[gene * cellCount + cell] = negativeBinomial((draws[gene]! + 0.5) / 2 ** 32, mean);
    }
  });
  const counts = blockOf(dense, cellCount);
  const totals = sizes.map((size) => total * size);
  const expressing = levels.map((_, gene) => (counts.starts[gene + 1]! - counts.starts[gene]!) / cellCount);
  return { values: logNormalised(counts, totals), codes, markerOf, expressing };
}

/** All groups, in the order of their codes. */
export function groupRanking(
  { values, codes }: SimulatedGroups,
  {
    method = 'wilcoxon',
    tie_correct: tieCorrect,
    pseudocount,
  }: { readonly method?: MarkerMethod; readonly tie_correct: boolean; readonly pseudocount: number },
): GroupRanking[] {
  const categories = groupShares.map((share) => `${100 * share} %`);
  const groups = cellGroups({
    kind: 'categorical',
    categories,
    codes,
    categoryType: 'string',
    ordered: false,
  });
  const statistics = blockStatistics(values, groups, method);
  const ranking = rankGenes([statistics], groups, { method, tieCorrect, pseudocount });
  return ranking.groups.map((_, place) => ranking.rank(place));
}
