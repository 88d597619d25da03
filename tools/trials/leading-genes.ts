import {
  ambientGenes,
  compareSides,
  partStatistics,
  type ComparedCells,
  type SideComparison,
} from '@cellfolio/analysis';
import type { GeneBlock } from '@cellfolio/model';
import type { BenchCase } from '../../bench/src/bench-context.ts';
import { SeededBits } from '../../bench/src/data/seeded-bits.ts';
import { type Result, sum } from '../../bench/src/measure/result.ts';
import { calledIn } from './methods.ts';
import { blockOf, logNormalised, negativeBinomial } from './simulated-donors.ts';

const seeds = 20;
/** Genes that a reader looks at first, and the number of cell-cycle genes among them from which the caution speaks. */
const [leadingCount, leastCycle] = [20, 3];

const none: TypesDesign = { ambient: [0, 0], dividing: [0.1, 0.1], response: 1 };
const designs: readonly (TypesDesign & { name: string })[] = [
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
        const rows = ambientGenes(types, Math.expm1);
        ambient.push(Number(rows.size > 0));
        cycle.push(
          Number(types.some(({ leading }) => leading.filter((row) => row < cycleGenes).length >= leastCycle)),
        );
        counts.push(rows.size);
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
    return { results, notes: [] };
  },
};

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
  return calledIn({ adjusted })
    .toSorted((one, other) => pvals[one]! - pvals[other]!)
    .slice(0, leadingCount);
}

/** Differences between the sides. */
interface TypesDesign {
  /** Share of a cell's counts that comes from the type with the ambient genes, in A and in B. */
  ambient: readonly [number, number];
  /** Share of the cells that divide, in A and in B. */
  dividing: readonly [number, number];
  /** Fold change in A of some genes that all types express, as of a response to interferon. */
  response: number;
}

/** Cells of six types on two sides. */
interface SimulatedTypes {
  values: GeneBlock;
  sides: Uint16Array;
  types: Uint16Array;
}

const typeCount = 6;
const cellsOfType = 120;
const geneCount = 400;
/** The first genes are those that dividing cells express, the next ones those of each type, then those of a response. */
const [cycleGenes, ownGenes, responseGenes] = [30, 20, 20];
const meanLog = [-1, 1.2] as const;
const cellSpread = 0.35;
const highFold = 10;
const divisionFold = 8;

/** Genes of the types, and of cells that divide, over a common background; RNA of the first type is in all droplets. */
function simulatedTypes(seed: number, { ambient, dividing, response }: TypesDesign): SimulatedTypes {
  const bits = new SeededBits(5000 + seed);
  const levels = Float64Array.from({ length: geneCount }, () =>
    Math.exp(meanLog[0] + meanLog[1] * bits.normal()),
  );
  const ownOf = (gene: number) => {
    const type = Math.floor((gene - cycleGenes) / ownGenes);
    return gene >= cycleGenes && type < typeCount ? type : -1;
  };
  const respondsFrom = cycleGenes + typeCount * ownGenes;
  const profiles = Array.from({ length: typeCount }, (_, type) =>
    levels.map((level, gene) => {
      if (gene < cycleGenes) return 0.2 * level;
      // A response has levels of its own in each type.
      const responds = gene >= respondsFrom && gene < respondsFrom + responseGenes;
      const basal = responds ? level * Math.exp(0.5 * bits.normal()) : level;
      return ownOf(gene) === -1 ? basal : level * (ownOf(gene) === type ? highFold : 0.02);
    }),
  );
  const shareOf = (profile: Float64Array) => {
    const total = profile.reduce((sum, level) => sum + level, 0);
    return profile.map((level) => level / total);
  };
  // Broken cells are of the first type.
  const soup = shareOf(profiles[0]!);
  const cellCount = typeCount * 2 * cellsOfType;
  const types = Uint16Array.from({ length: cellCount }, (_, cell) => Math.floor(cell / (2 * cellsOfType)));
  const sides = Uint16Array.from({ length: cellCount }, (_, cell) => cell % 2);
  const dense = new Uint16Array(geneCount * cellCount);
  const totals = new Float64Array(cellCount);
  const draws = new Uint32Array(geneCount);
  types.forEach((type, cell) => {
    const side = sides[cell]!;
    const size = Math.exp(cellSpread * bits.normal());
    const divides = bits.uniform() < dividing[side]!;
    bits.drawInto(draws);
    const profile = profiles[type]!;
    const total = profile.reduce((sum, level) => sum + level, 0);
    for (let gene = 0; gene < geneCount; gene++) {
      const isRising = side === 0 && gene >= respondsFrom && gene < respondsFrom + responseGenes;
      const own =
        profile[gene]! * (divides && gene < cycleGenes ? divisionFold : 1) * (isRising ? response : 1);
      const mean = size * ((1 - ambient[side]!) * own + ambient[side]! * total * soup[gene]!);
      const count = negativeBinomial(draws[gene]!, mean);
      dense[gene * cellCount + cell] = count;
      totals[cell]! += count;
    }
  });
  const counts = blockOf(dense, cellCount);
  return { values: logNormalised(counts, totals), sides, types };
}
