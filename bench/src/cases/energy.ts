import { createRandom, type EnergyCells, energyDistance, energyTest } from '@cellfolio/analysis';
import { normalOf, SeededBits } from '../data/seeded-bits.ts';
import { type Spent, stopwatch } from '../measure/result.ts';
import { paths } from '../paths.ts';
import { analysisCase, largestDifference } from './analysis-case.ts';

const [dimensions, controls, ofEach, permutations] = [50, 1000, 60, 100];

interface Peer extends Readonly<Record<'distances' | 'tests', Spent>> {
  distances: Spent;
  values: readonly number[];
  version: string;
}

interface Screen {
  points: Float32Array<ArrayBuffer>;
  /** Perturbation of each cell; 0 for the controls. */
  codes: Int32Array<ArrayBuffer>;
  perturbations: number;
}

export const energyCase = analysisCase({
  name: 'energy',
  title: `energy distances of perturbations of ${ofEach} cells from ${controls} controls in ${dimensions} dimensions, ${permutations} permutations; peer: scperturb, one thread each`,
  note: () =>
    'squared Euclidean distances; the peer holds all distances between cells of a perturbation and controls',
  stages: { distances: 'distances', tests: 'permutation tests' },
  prepare: ({ cells }) => simulatedScreen(cells),
  ours: (data) => energies(data),
  peer: {
    packages: ['scperturb'],
    script: paths.energyPeer,
    arrays: ({ points, codes }) => [points, codes],
    numbers: ({ codes }) => [codes.length, dimensions, permutations],
  },
  findings: ({ values }, theirs: Peer | undefined) =>
    theirs &&
    `largest difference from scperturb ${theirs.version}: ${largestDifference(values, theirs.values)}`,
});

/** Half of the perturbations shift the first dimension. */
function simulatedScreen(cells: number): Screen {
  const perturbations = Math.max(1, Math.floor((cells - controls) / ofEach));
  const codes = Int32Array.from({ length: controls + perturbations * ofEach }, (_, cell) =>
    cell < controls ? 0 : 1 + Math.floor((cell - controls) / ofEach),
  );
  const bits = new SeededBits(17);
  const draws = new Uint32Array(2 * dimensions);
  const points = new Float32Array(codes.length * dimensions);
  for (let cell = 0; cell < codes.length; cell++) {
    bits.drawInto(draws);
    for (let at = 0; at < dimensions; at++) points[cell * dimensions + at] = normalOf(draws, at);
    if (codes[cell]! % 2 === 1) points[cell * dimensions]! += 1;
  }
  return { points, codes, perturbations };
}

function energies({ points, codes, perturbations }: Screen) {
  const cellsOf = (code: number) => Int32Array.from(codes.keys()).filter((cell) => codes[cell] === code);
  const own = cellsOf(0);
  const compared = Array.from({ length: perturbations }, (_, at): EnergyCells => ({
    values: points,
    dimensions,
    perturbed: cellsOf(at + 1),
    controls: own,
  }));
  const ofDistances = stopwatch();
  const values = compared.map(energyDistance);
  const distances = ofDistances();
  const ofTests = stopwatch();
  compared.forEach((cells, at) => energyTest(cells, permutations, createRandom(String(at))));
  return { distances, tests: ofTests(), values };
}
