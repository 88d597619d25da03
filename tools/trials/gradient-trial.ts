import {
  benjaminiHochberg,
  correlationsWithin,
  curveTests,
  sampleRanks,
  splineBasis,
  splineTests,
} from '@cellfolio/analysis';
import { SeededBits } from '../../bench/src/data/seeded-bits.ts';
import { blockOf, poisson, tally, type Trial } from './trial.ts';

const [cellCount, sampleCount, geneCount, ofKind] = [900, 6, 300, 30];
/** Mean of a gene as a function of its position on the axis, 0 to 1; the remaining genes do not depend on it. */
const kinds = [(at: number) => at, (at: number) => 1 - at, (at: number) => 4 * at * (1 - at)];
const plantedGenes = kinds.length * ofKind;

export const gradientTrial: Trial = {
  name: 'gradient',
  planted: 'genes that rise, fall or peak, at an FDR of 0.05',
  nothing: 'genes that follow nothing but their sample, at the same FDR',
  run(seed) {
    const bits = new SeededBits(seed);
    const samples = Int16Array.from({ length: cellCount }, () => Math.floor(sampleCount * bits.uniform()));
    const own = Float64Array.from({ length: cellCount }, () => bits.uniform());
    const axis = own.map((at, cell) => at + samples[cell]! / 3);
    const genes = Array.from({ length: geneCount }, (_, gene) => {
      const height = 0.2 + 2 * bits.uniform();
      const levels = Float64Array.from({ length: sampleCount }, () => 0.5 + bits.uniform());
      const share = kinds[Math.floor(gene / ofKind)] ?? (() => 0.5);
      return Float32Array.from(own, (at, cell) =>
        Math.log1p(poisson(bits, height * (0.4 + 1.2 * share(at)) * levels[samples[cell]!]!)),
      );
    });
    const block = blockOf(genes);
    const within = sampleRanks(axis, samples, { sampleCount, minCells: 20 });
    const monotone = benjaminiHochberg(correlationsWithin(block, within).p);
    const basis = splineBasis(axis, 4, within.samples);
    const curved = benjaminiHochberg(curveTests(splineTests(block, basis), basis).p);
    const isFound = (gene: number) => monotone[gene]! < 0.05 || curved[gene]! < 0.05;
    const all = [...genes.keys()];
    return {
      planted: tally(all.slice(0, plantedGenes), isFound),
      nothing: tally(all.slice(plantedGenes), isFound),
    };
  },
};
