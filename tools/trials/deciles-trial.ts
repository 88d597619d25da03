import { compared, donorCount } from '../../bench/src/cases/deciles-case.ts';
import { SeededBits } from '../../bench/src/data/seeded-bits.ts';
import { blockOf, poisson, tally, type Trial } from './trial.ts';

const [ofDonor, geneCount, plantedGenes] = [120, 150, 20];

export const decilesTrial: Trial = {
  name: 'deciles',
  planted: 'genes that follow what ranks the cells, with their direction, at an FDR of 0.05',
  nothing: 'genes in the ends of values by chance, at the same FDR',
  run(seed) {
    const bits = new SeededBits(seed);
    const cellCount = donorCount * ofDonor;
    const donors = Int32Array.from({ length: cellCount }, (_, cell) => cell % donorCount);
    const state = Float64Array.from(donors, () => bits.normal());
    const ofDonors = Float64Array.from({ length: donorCount }, () => bits.normal());
    const genes = Array.from({ length: geneCount }, (_, gene) => {
      const level = 0.5 + 2 * bits.uniform();
      const slope = gene < plantedGenes ? slopeOf(gene) : 0;
      const own = Float64Array.from({ length: donorCount }, () => 0.3 * bits.normal());
      return Float32Array.from(donors, (donor, cell) =>
        poisson(bits, level * Math.exp(slope * state[cell]! + own[donor]!)),
      );
    });
    const block = blockOf(genes);
    const ranked = compared({
      block,
      donors,
      values: state.map((at, cell) => at + 2 * ofDonors[donors[cell]!]!),
    });
    const placeOf = new Map(Array.from(ranked.genes, (gene, place) => [gene, place]));
    const chance = compared({ block, donors, values: state.map(() => bits.normal()) });
    return {
      planted: tally(Array(plantedGenes).keys(), (gene) => {
        const place = placeOf.get(gene);
        return (
          place !== undefined && ranked.adjusted[place]! < 0.05 && ranked.effects[place]! * slopeOf(gene) > 0
        );
      }),
      nothing: tally(chance.genes.keys(), (place) => chance.adjusted[place]! < 0.05),
    };
  },
};

const slopeOf = (gene: number) => (gene % 2 === 0 ? 0.3 : -0.3);
