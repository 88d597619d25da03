import {
  ambientGenes,
  compareSides,
  partStatistics,
  type ComparedCells,
  type SideComparison,
} from '@cellfolio/analysis';
import type { BenchCase } from '../../bench/src/bench-context.ts';
import {
  cycleGenes,
  simulatedTypes,
  type SimulatedTypes,
  type TypesDesign,
} from './simulated-ambience.ts';
import type { Result } from '../../bench/src/measure/result.ts';

const seeds = 20;
const rate = 0.05;
/** Genes that a reader looks at first, and the number of cell-cycle genes among them from which the caution speaks. */
const [leadingCount, leastCycle] = [20, 3];

const none: TypesDesign = { ambient: [0, 0], dividing: [0.1, 0.1], response: 1 };
const designs: readonly (TypesDesign & { readonly name: string })[] = [
  { ...none, name: 'nothing differs' },
  { ...none, name: 'ambient 5 % on both sides', ambient: [0.05, 0.05] },
  { ...none, name: 'ambient 4 % against 2 %', ambient: [0.04, 0.02] },
  { ...none, name: 'ambient 10 % against 2 %', ambient: [0.1, 0.02] },
  { ...none, name: 'ambient 20 % against 5 %', ambient: [0.2, 0.05] },
  { ...none, name: '30 % of the cells divide against 10 %', dividing: [0.3, 0.1] },
  { ...none, name: '50 % of the cells divide against 10 %', dividing: [0.5, 0.1] },
  { ...none, name: 'a response of all types', response: 4 },
];

/** How often genes of ambient RNA and of the cell cycle are told where they lead, and where nothing of the kind differs. */
export const leadingGenesCase: BenchCase = {
  name: 'leading-genes',
  title:
    'six simulated types on two sides: are ambient genes and those of the cell cycle told where they lead',
  run({ options, report }) {
    const count = options.repeat ?? seeds;
    const results = designs.flatMap((design) => {
      const ambient: number[] = [];
      const cycle: number[] = [];
      const counts: number[] = [];
      for (let seed = 1; seed <= count; seed++) {
        const tables = tested(simulatedTypes(seed, design));
        const types = tables.map((table) => ({
          leading: leadingOf(table),
          logfoldchanges: table.logfoldchanges,
          means: table.meanA.map((mean, gene) => (mean + table.meanB[gene]!) / 2),
        }));
        const found = ambientGenes(types, Math.expm1);
        ambient.push(Number(found.size > 0));
        cycle.push(
          Number(types.some(({ leading }) => leading.filter((row) => row < cycleGenes).length >= leastCycle)),
        );
        counts.push(found.size);
      }
      report(
        `  ${design.name}: ambient genes told in ${sum(ambient)}, the cell cycle in ${sum(cycle)} of ${count}`,
      );
      return [
        { quantity: `${design.name}: ambient genes told`, unit: 'share', ours: [sum(ambient) / count] },
        { quantity: `${design.name}: ambient genes`, unit: 'genes', ours: counts },
        { quantity: `${design.name}: cell cycle told`, unit: 'share', ours: [sum(cycle) / count] },
      ] satisfies Result[];
    });
    return Promise.resolve({ results, notes: [] });
  },
};

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

/** A against B in each type, by the defaults of a comparison. */
function tested({ values, sides, types }: SimulatedTypes): SideComparison[] {
  const typeCount = 1 + Math.max(...types);
  const cellsOf = (type: number, side: number) =>
    types.reduce((cells, own, cell) => cells + Number(own === type && sides[cell] === side), 0);
  const compared: ComparedCells = {
    sides,
    partOf: types,
    parts: Array.from({ length: typeCount }, (_, type) => ({
      name: `type ${type}`,
      a: cellsOf(type, 0),
      b: cellsOf(type, 1),
    })),
    leftOut: [],
    unlabelled: 0,
  };
  const statistics = partStatistics(values, compared, 'wilcoxon');
  const test = { method: 'wilcoxon', tieCorrect: true, pseudocount: 1 } as const;
  return statistics.map((block, place) => compareSides([block], compared, { ...test, place }));
}

function leadingOf({ pvals, pvals_adj: adjusted }: SideComparison): number[] {
  return [...adjusted.keys()]
    .filter((gene) => adjusted[gene]! < rate)
    .toSorted((one, other) => pvals[one]! - pvals[other]!)
    .slice(0, leadingCount);
}
