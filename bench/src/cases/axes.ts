import {
  axisOrder,
  cellGraph,
  correlationP,
  correlationsWithin,
  diffusionPseudotime,
  genesAlongAxis,
  graphParts,
  groupGraph,
  joinNearestCells,
  leastSquaresP,
  nearestCells,
  placePoints,
  rootedPart,
  sampleRanks,
  splineBasis,
  splineTests,
} from '@cellfolio/analysis';
import type { GeneBlock } from '@cellfolio/model';
import { neighbourGraph } from '@cellfolio/process';
import { normalOf, SeededBits, shareOf } from '../data/seeded-bits.ts';
import { geneBlock } from '../data/sparse-rows.ts';
import { type Spent, stopwatch } from '../measure/result.ts';
import { paths } from '../paths.ts';
import { analysisCase, type AnalysisSize, largestDifference } from './analysis-case.ts';

const [dimensions, groupCount, neighbours] = [50, 12, 14];

interface TrajectoryPeer extends Readonly<Record<'graph' | 'rest', Spent>> {
  pseudotime: readonly number[];
}

export const trajectoryCase = analysisCase({
  name: 'trajectory',
  title:
    'graph, pseudotime and connectivities of 3,000 to 100,000 cells; peer: scanpy on all cores, one thread of ours',
  note: () => `a fork in ${dimensions} components; numba is warm`,
  stages: { graph: 'graph', rest: 'pseudotime and connectivities' },
  warmUp: 1000,
  prepare: fork,
  ours: ordered,
  peer: {
    packages: ['scanpy'],
    script: paths.trajectoryPeer,
    arrays: (points) => [points],
    numbers: () => [dimensions, groupCount],
  },
  findings: (ours, theirs: TrajectoryPeer | undefined) => {
    if (!theirs) return undefined;
    const beyond = theirs.pseudotime.filter((time, cell) => Math.abs(time - ours.pseudotime[cell]!) > 1e-4);
    return `largest difference of pseudotime ${largestDifference(ours.pseudotime, theirs.pseudotime)}, more than 1e-4 in ${beyond.length} cells`;
  },
});

function fork({ cells }: AnalysisSize): Float32Array<ArrayBuffer> {
  const bits = new SeededBits(70);
  const draws = new Uint32Array(2 * dimensions + 2);
  const points = new Float32Array(cells * dimensions);
  for (let cell = 0; cell < cells; cell++) {
    bits.drawInto(draws);
    for (let at = 0; at < dimensions; at++) points[cell * dimensions + at] = normalOf(draws, at);
    const time = shareOf(draws[2 * dimensions]!);
    points[cell * dimensions]! += 30 * time;
    const arm = shareOf(draws[2 * dimensions + 1]!) < 0.5 ? -40 : 40;
    if (time > 0.5) points[cell * dimensions + 1]! += arm * (time - 0.5);
  }
  return points;
}

function ordered(points: Float32Array): { graph: Spent; rest: Spent; pseudotime: Float64Array } {
  const cellCount = points.length / dimensions;
  const ofGraph = stopwatch();
  const nearest = nearestCells(placePoints(points, dimensions), neighbours, { from: 0, to: cellCount });
  const joined = joinNearestCells([nearest], cellCount);
  const graph = cellGraph(neighbourGraph({ cellCount, ...joined }), cellCount);
  const spent = ofGraph();
  const ofRest = stopwatch();
  const part = rootedPart(graph, graphParts(graph), { by: 'cell', cell: 0 }, 2)!;
  const pseudotime = diffusionPseudotime(part.map, part.place, 10);
  const first = Float64Array.from({ length: cellCount }, (_, cell) => points[cell * dimensions]!);
  const low = first.reduce((minimum, value) => Math.min(minimum, value), Infinity);
  const high = first.reduce((maximum, value) => Math.max(maximum, value), -Infinity);
  const codes = first.map((value) =>
    Math.min(groupCount - 1, Math.floor(((value - low) / (high - low)) * groupCount)),
  );
  groupGraph(joined, codes, groupCount);
  return { graph: spent, rest: ofRest(), pseudotime };
}

const [sampleCount, degrees] = [8, 4];
/** Share of non-zero values, as in droplet data. */
const density = 0.1;

interface GradientPeer extends Readonly<Record<'spearman' | 'splines' | 'samples', Spent>> {
  rho: number[];
  p: number[];
  splineP: number[];
  sampleP: number[];
}

export const gradientCase = analysisCase({
  name: 'gradient',
  title: '500 genes of 3,000 to 100,000 cells along an axis; peer: scipy and numpy, one thread of both',
  genes: 500,
  note: ({ genes }) =>
    `${genes} genes; ${(100 * density).toFixed(0)} % of the values are not 0; ${degrees} degrees of freedom, ${sampleCount} samples`,
  stages: { spearman: 'Spearman', splines: 'splines', samples: 'Spearman in samples' },
  prepare: simulatedAxis,
  ours: testedAlongAxis,
  peer: {
    packages: ['patsy', 'scipy'],
    script: paths.gradientPeer,
    arrays: ({ axis, samples, block }) => [axis, block.starts, samples, block.cells, block.values],
    numbers: ({ axis, block }) => [axis.length, block.starts.length - 1, degrees],
  },
  findings: (ours, theirs: GradientPeer | undefined) => {
    if (!theirs) return undefined;
    const apart = (of: 'rho' | 'p' | 'splineP' | 'sampleP') => largestDifference(ours[of], theirs[of]);
    return `largest differences: rho ${apart('rho')}, p ${apart('p')}, p of splines ${apart('splineP')}, combined p ${apart('sampleP')}`;
  },
});

interface SimulatedAxis {
  axis: Float64Array;
  samples: Int32Array;
  block: GeneBlock;
}

function simulatedAxis({ cells, genes }: AnalysisSize): SimulatedAxis {
  const bits = new SeededBits(71);
  const draws = new Uint32Array(2 * cells);
  bits.drawInto(draws);
  const axis = Float64Array.from({ length: cells }, (_, cell) => shareOf(draws[cell]!));
  const samples = Int32Array.from({ length: cells }, (_, cell) => draws[cells + cell]! % sampleCount);
  const block = geneBlock({ cells, genes }, (gene, add) => {
    bits.drawInto(draws);
    // A third rises, a third falls, and a third does neither.
    const slope = (gene % 3) - 1;
    for (let cell = 0; cell < cells; cell++) {
      const chance = density * (1 + slope * 0.4 * (2 * axis[cell]! - 1));
      if (shareOf(draws[cell]!) >= chance) continue;
      // Counts have few values, so that there are ties.
      add(cell, Math.log1p(1 + Math.floor(-2 * Math.log(shareOf(draws[cells + cell]!)))));
    }
  });
  return { axis, samples, block };
}

function testedAlongAxis({ axis, samples, block }: SimulatedAxis) {
  const ofSpearman = stopwatch();
  const { rho } = genesAlongAxis(block, axisOrder(axis, 30));
  const p = rho.map((one) => correlationP(one, axis.length));
  const spearman = ofSpearman();
  const ofSplines = stopwatch();
  const basis = splineBasis(axis, degrees);
  const splineP = leastSquaresP(splineTests(block, basis), basis);
  const splines = ofSplines();
  const ofSamples = stopwatch();
  const within = sampleRanks(axis, samples, { sampleCount, minCells: 20 });
  const { p: sampleP } = correlationsWithin(block, within);
  return { spearman, splines, samples: ofSamples(), rho, p, splineP, sampleP };
}
