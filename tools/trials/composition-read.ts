import {
  compareSides,
  comparedCells,
  hasOtherComposition,
  partStatistics,
  pseudobulkTest,
  sideComposition,
} from '@cellfolio/analysis';
import type { CategoricalColumn } from '@cellfolio/model';
import type { BenchCase } from '../../bench/src/bench-context.ts';
import { conditionSums } from './methods.ts';
import {
  perSide,
  type SimulatedTypes,
  simulatedTypes,
  typeCount,
} from './simulated-types.ts';
import type { Result } from '../../bench/src/measure/result.ts';

const seeds = 20;
const rate = 0.05;
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
    return Promise.resolve({ results, notes });
  },
};

const range = (shares: readonly number[]) =>
  `${Math.min(...shares).toFixed(2)} to ${Math.max(...shares).toFixed(2)}`;

const categories = Array.from({ length: typeCount }, (_, type) => `type ${type + 1}`);

function typeColumn({ types: codes }: SimulatedTypes): Pick<CategoricalColumn, 'codes' | 'categories'> {
  return { codes, categories };
}

const donorNames = Array.from({ length: 2 * perSide }, (_, donor) => `donor ${donor + 1}`);

function donorColumn({ donors: codes }: SimulatedTypes): Pick<CategoricalColumn, 'codes' | 'categories'> {
  return { codes, categories: donorNames };
}

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
    genes += compareSides([blocks[place]!], compared, test).pvals_adj.filter((p) => p < rate).length;
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
  const answer = pseudobulkTest(sums, design, contrasts, {});
  if ('refusal' in answer) throw new Error(answer.refusal.code);
  return answer.result.tests.contrasts[0]!.adjusted.filter((p) => p < rate).length;
}
