import {
  compareSides,
  comparedCells,
  hasOtherComposition,
  partStatistics,
  pseudobulkTest,
  sideComposition,
} from '@cellfolio/analysis';
import type { GeneBlock } from '@cellfolio/model';
import type { BenchCase } from '../../bench/src/bench-context.ts';
import { throwIfRefused } from '../../bench/src/cases/sums.ts';
import { categorical } from '../../bench/src/data/generated-file.ts';
import { SeededBits } from '../../bench/src/data/seeded-bits.ts';
import type { Result } from '../../bench/src/measure/result.ts';
import { calledIn, conditionSums } from './methods.ts';
import { blockOf, logNormalised, negativeBinomial } from './simulated-donors.ts';

const seeds = 20;
const [typeCount, perSide] = [8, 4];
/** How many times as large one type is made in one condition. */
const changes = [1, 1.5, 2, 3, 5] as const;

const tests = [
  { name: 'cells, Wilcoxon, together', called: (data: SimulatedTypes) => cellGenes(data, false) },
  { name: 'cells, Wilcoxon, within types', called: (data: SimulatedTypes) => cellGenes(data, true) },
  { name: 'sums, voom, together', called: (data: SimulatedTypes) => sumGenes(data) },
  {
    name: 'sums, voom, within types',
    called: (data: SimulatedTypes) => {
      let genes = 0;
      for (let type = 0; type < typeCount; type++) genes += sumGenes(data, type);
      return genes;
    },
  },
] as const;

/** Place of the sums of all types among the tests. */
const sumsTogether = tests.findIndex(({ name }) => name === 'sums, voom, together');

/** Genes called where a type becomes more frequent and no gene changes in any, and whether the caution speaks. */
export const compositionReadCase: BenchCase = {
  name: 'composition-read',
  title: `one of ${typeCount} types grows in ${perSide} of ${2 * perSide} simulated donors, no gene changes in any: genes called over all cells together, and within each type`,
  run({ options, report }) {
    const count = options.repeat ?? seeds;
    const results: Result[] = [];
    const notes: string[] = [];
    for (const times of changes) {
      const distances: number[] = [];
      const cautions = { cells: 0, samples: 0 };
      const silent: string[] = [];
      const called = tests.map(() => [] as number[]);
      for (let seed = 1; seed <= count; seed++) {
        const data = simulatedTypes(seed, times);
        const [sides, types] = [sidesOf(data), typeColumn(data)];
        const ofCells = sideComposition(sides, types);
        distances.push(ofCells.distance);
        if (hasOtherComposition(ofCells)) cautions.cells++;
        const isSaid = hasOtherComposition(sideComposition(sides, types, donorColumn(data)));
        if (isSaid) cautions.samples++;
        tests.forEach((test, at) => called[at]!.push(test.called(data)));
        const bySums = called[sumsTogether]!.at(-1)!;
        if (bySums > 0 && !isSaid) silent.push(`${bySums} at ${ofCells.distance.toFixed(2)}`);
      }
      const spoken = `distance ${range(distances)}, caution of tests of cells in ${cautions.cells} and of samples in ${cautions.samples} of ${count} sets; genes of sums together without it: ${silent.join(', ') || 'none'}`;
      report(`  ${times} times: ${spoken}`);
      results.push({ quantity: `${times} times: distance`, unit: 'share', ours: distances });
      tests.forEach(({ name }, at) => {
        const genes = called[at]!;
        const some = genes.filter((number) => number > 0).length;
        results.push({ quantity: `${times} times: ${name}`, unit: 'genes', ours: genes });
        notes.push(
          `${times} times: ${name}: ${Math.min(...genes)} to ${Math.max(...genes)} genes, some in ${some} of ${count} sets`,
        );
      });
      notes.push(`${times} times: ${spoken}`);
    }
    return { results, notes };
  },
};

const range = (shares: readonly number[]) =>
  `${Math.min(...shares).toFixed(2)} to ${Math.max(...shares).toFixed(2)}`;

const categories = Array.from({ length: typeCount }, (_, type) => `type ${type + 1}`);

const typeColumn = ({ types }: SimulatedTypes) => categorical(types, categories);

const donorNames = Array.from({ length: 2 * perSide }, (_, donor) => `donor ${donor + 1}`);

const donorColumn = ({ donors }: SimulatedTypes) => categorical(donors, donorNames);

/** Treated cells are A. */
function sidesOf({ donors }: SimulatedTypes): Uint8Array {
  return Uint8Array.from(donors, (donor) => Number(donor < perSide));
}

/** Genes called in all, within types in any: a gene counts in each type. */
function cellGenes(data: SimulatedTypes, isWithin: boolean): number {
  const bits = sidesOf(data).map((side) => 1 - side);
  const a = { bits, count: bits.reduce((sum, bit) => sum + bit, 0) };
  const compared = comparedCells({ a }, { minCells: 3, ...(isWithin && { within: typeColumn(data) }) });
  const blocks = partStatistics(data.values, compared, 'wilcoxon');
  let genes = 0;
  for (let place = 0; place < compared.parts.length; place++) {
    const test = { method: 'wilcoxon', tieCorrect: true, pseudocount: 1, place } as const;
    genes += calledIn({ adjusted: compareSides([blocks[place]!], compared, test).pvals_adj }).length;
  }
  return genes;
}

/** Genes called in one type, or in all cells together. */
function sumGenes({ counts, donors, types }: SimulatedTypes, type?: number): number {
  const codes = donors.map((donor, cell) => (type === undefined || types[cell] === type ? donor : -1));
  const labels = { codes, categories: donorNames };
  const { sums, design, contrasts } = conditionSums(counts, labels, {
    isTreated: (donor) => donor >= perSide,
  });
  const { result } = throwIfRefused(pseudobulkTest(sums, design, contrasts, {}));
  return calledIn(result.tests.contrasts[0]!).length;
}

/** Cells of several types of donors in two conditions, in which no gene changes in any type. */
interface SimulatedTypes {
  /** Raw counts, and ln(1 + 10,000 × count / counts of the cell). */
  counts: GeneBlock;
  values: GeneBlock;
  /** Donor of each cell; the second half of the donors is treated. */
  donors: Int8Array;
  types: Int8Array;
}

const geneCount = 600;
const cellsOfDonor = 300;
/** Standard deviations of natural logarithms: of the share of a type between donors, and of a gene's level between them. */
const shareSpread = 0.2;
const donorSpread = 0.1;
/**
 * Share of genes that differ between types; the next constant is the standard deviation of the natural logarithm of
 * their level.
 */
const typeGenes = 0.5;
const typeSpread = 1;
/** Mean and standard deviation of the natural logarithm of a gene's mean count in a cell. */
const meanLog = [-1, 1.3] as const;
const cellSpread = 0.35;

/** @param times how many times as large the weight of the first type is in treated donors; 1 for no change */
function simulatedTypes(seed: number, times: number): SimulatedTypes {
  const bits = new SeededBits(seed);
  const levels = Array.from({ length: geneCount }, () => {
    const base = meanLog[0] + meanLog[1] * bits.normal();
    const spread = bits.uniform() < typeGenes ? typeSpread : 0;
    return Float64Array.from({ length: typeCount }, () => Math.exp(base + spread * bits.normal()));
  });
  const weights = Array.from({ length: 2 * perSide }, (_, donor) =>
    Array.from(
      { length: typeCount },
      (__, type) => Math.exp(shareSpread * bits.normal()) * (donor >= perSide && type === 0 ? times : 1),
    ),
  );
  const ofDonors = weights.map(() => Float64Array.from(levels, () => Math.exp(donorSpread * bits.normal())));
  const cellCount = 2 * perSide * cellsOfDonor;
  const donors = Int8Array.from({ length: cellCount }, (_, cell) => Math.floor(cell / cellsOfDonor));
  const types = donors.map((donor) => drawn(weights[donor]!, bits.uniform()));
  const dense = new Uint16Array(geneCount * cellCount);
  const draws = new Uint32Array(geneCount);
  const totals = new Float64Array(cellCount);
  for (let cell = 0; cell < cellCount; cell++) {
    const [type, ofDonor] = [types[cell]!, ofDonors[donors[cell]!]!];
    const size = Math.exp(cellSpread * bits.normal());
    bits.drawInto(draws);
    for (let gene = 0; gene < geneCount; gene++) {
      const mean = levels[gene]![type]! * ofDonor[gene]! * size;
      const count = negativeBinomial(draws[gene]!, mean);
      dense[gene * cellCount + cell] = count;
      totals[cell]! += count;
    }
  }
  const counts = blockOf(dense, cellCount);
  return { counts, values: logNormalised(counts, totals), donors, types };
}

/** The type that a draw from 0 to 1 falls on. */
function drawn(weights: readonly number[], draw: number): number {
  let rest = draw * weights.reduce((sum, weight) => sum + weight, 0);
  const place = weights.findIndex((weight) => (rest -= weight) < 0);
  return place < 0 ? weights.length - 1 : place;
}
