import {
  axisOrder,
  diffusionPseudotime,
  genesAlongAxis,
  joinNearestCells,
  nearestCells,
  placePoints,
  rootedPart,
} from '@cellfolio/analysis';
import { connectedGraph, hasNoPath, pathStructure } from '@cellfolio/server';
import { SeededBits } from '../../bench/src/data/seeded-bits.ts';
import { blockOf, type Trial } from './trial.ts';

const [cellCount, dimensions, neighbours, noise] = [600, 10, 14, 0.5];
const minCorrelation = 0.9;

export const trajectoryTrial: Trial = {
  name: 'trajectory',
  planted: `forks whose order follows time (Spearman ${minCorrelation} or more)`,
  nothing: 'clouds that are not said to show no path',
  run(seed) {
    const bits = new SeededBits(seed);
    const time = Float64Array.from({ length: cellCount }, () => bits.uniform());
    const fork = cloud(bits, noise);
    time.forEach((at, cell) => {
      fork[cell * dimensions]! += 10 * at;
      if (at > 0.5) fork[cell * dimensions + 1]! += (bits.uniform() < 0.5 ? -16 : 16) * (at - 0.5);
    });
    const isFound =
      isPath(fork) && correlation(pseudotime(fork, time.indexOf(Math.min(...time))), time) >= minCorrelation;
    return {
      planted: { found: Number(isFound), of: 1 },
      nothing: { found: Number(isPath(cloud(bits, 1))), of: 1 },
    };
  },
};

function cloud(bits: SeededBits, spread: number): Float32Array {
  return Float32Array.from({ length: cellCount * dimensions }, () => spread * bits.normal());
}

function isPath(points: Float32Array): boolean {
  return !hasNoPath(pathStructure(points, dimensions, neighbours));
}

function pseudotime(points: Float32Array, root: number): Float64Array {
  const nearest = nearestCells(placePoints(points, dimensions), neighbours, { from: 0, to: cellCount });
  const { graph, parts } = connectedGraph(joinNearestCells([nearest], cellCount));
  const part = rootedPart(graph, parts, { by: 'cell', cell: root }, 2)!;
  const times = new Float64Array(cellCount).fill(Infinity);
  diffusionPseudotime(part.map, part.place, 10).forEach((at, place) => (times[part.cells[place]!] = at));
  return times;
}

/** Spearman correlation over the cells that are connected to the root. */
function correlation(times: Float64Array, truth: Float64Array): number {
  return genesAlongAxis(blockOf([Float32Array.from(truth)]), axisOrder(times, 1)).rho[0]!;
}
