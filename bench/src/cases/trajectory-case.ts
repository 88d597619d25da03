import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  cellGraph,
  diffusionPseudotime,
  graphParts,
  groupGraph,
  joinNearestCells,
  nearestCells,
  placePoints,
  rootedPart,
} from '@cellfolio/analysis';
import { neighbourGraph } from '@cellfolio/process';
import { type BenchCase, cellCounts } from '../bench-context.ts';
import { SeededBits } from '../data/seeded-bits.ts';
import { runForJson } from '../measure/child.ts';
import type { Result } from '../measure/result.ts';
import { type Spent, spentResults, stopwatch } from '../measure/spent.ts';
import { paths } from '../paths.ts';

const dimensions = 50;
const groupCount = 12;
const neighbours = 14;

export const trajectoryCase: BenchCase = {
  name: 'trajectory',
  title:
    'graph, pseudotime and connectivities of 3,000 to 100,000 cells; peer: scanpy on all cores, one thread of ours',
  async run({ options, scratch, python, report }) {
    const results: Result[] = [];
    const notes = [`a fork in ${dimensions} components; numba is warm`];
    // Machine code is made at the first call, as that of numba is.
    ordered(fork(1000));
    for (const cells of cellCounts(options)) {
      report(`  ${cells} cells`);
      const points = fork(cells);
      const ours = ordered(points);
      const file = join(scratch, `trajectory-${cells}.bin`);
      await writeFile(file, new Uint8Array(points.buffer));
      const theirs = python
        ? ((await runForJson(python, [paths.trajectoryPeer, file, `${dimensions}`, `${groupCount}`])) as {
            graph: Spent;
            rest: Spent;
            pseudotime: number[];
          })
        : undefined;
      results.push(
        ...spentResults(`graph of ${cells} cells`, [ours.graph], theirs && [theirs.graph]),
        ...spentResults(`pseudotime and connectivities of ${cells}`, [ours.rest], theirs && [theirs.rest]),
      );
      if (theirs) notes.push(`${cells} cells: ${apart(ours, theirs)}`);
    }
    return { results, notes };
  },
};

function fork(cells: number): Float32Array<ArrayBuffer> {
  const bits = new SeededBits(70);
  const draws = new Uint32Array(2 * dimensions + 2);
  const points = new Float32Array(cells * dimensions);
  for (let cell = 0; cell < cells; cell++) {
    bits.drawInto(draws);
    const share = (at: number) => (draws[at]! + 0.5) / 2 ** 32;
    for (let at = 0; at < dimensions; at++) {
      points[cell * dimensions + at] =
        Math.sqrt(-2 * Math.log(share(2 * at))) * Math.cos(2 * Math.PI * share(2 * at + 1));
    }
    const time = share(2 * dimensions);
    points[cell * dimensions]! += 30 * time;
    const arm = share(2 * dimensions + 1) < 0.5 ? -40 : 40;
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

function apart(ours: { pseudotime: Float64Array }, theirs: { pseudotime: readonly number[] }): string {
  const differences = theirs.pseudotime.map((time, cell) => Math.abs(time - ours.pseudotime[cell]!));
  const largest = differences.reduce((maximum, one) => Math.max(maximum, one), 0);
  const beyond = differences.filter((one) => one > 1e-4).length;
  return `largest difference of pseudotime ${largest.toExponential(1)}, more than 1e-4 in ${beyond} cells`;
}
