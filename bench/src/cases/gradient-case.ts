import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  axisOrder,
  correlationP,
  correlationsWithin,
  genesAlongAxis,
  leastSquaresP,
  sampleRanks,
  splineBasis,
  splineTests,
} from '@cellfolio/analysis';
import type { GeneBlock } from '@cellfolio/model';
import { type BenchCase, cellCounts } from '../bench-context.ts';
import { SeededBits } from '../data/seeded-bits.ts';
import { runForJson } from '../measure/child.ts';
import type { Result } from '../measure/result.ts';
import { type Spent, spentResults, stopwatch } from '../measure/spent.ts';
import { paths } from '../paths.ts';

const [sampleCount, degrees] = [8, 4];
/** Share of non-zero values, as in droplet data. */
const density = 0.1;

interface Peer {
  readonly spearman: Spent;
  readonly splines: Spent;
  readonly samples: Spent;
  readonly rho: number[];
  readonly p: number[];
  readonly splineP: number[];
  readonly sampleP: number[];
}

export const gradientCase: BenchCase = {
  name: 'gradient',
  title: '500 genes of 3,000 to 100,000 cells along an axis; peer: scipy and numpy, one thread of both',
  async run({ options, scratch, python, report }) {
    const geneCount = options.genes ?? 500;
    const results: Result[] = [];
    const notes = [
      `${geneCount} genes; ${(100 * density).toFixed(0)} % of the values are not 0; ${degrees} degrees of freedom, ${sampleCount} samples`,
    ];
    for (const cellCount of cellCounts(options)) {
      report(`  ${cellCount} cells`);
      const data = simulated(cellCount, geneCount);
      const ours = tested(data);
      const theirs = python
        ? await scipyOf(python, join(scratch, `gradient-${cellCount}.bin`), data)
        : undefined;
      results.push(
        ...spentResults(`Spearman over ${cellCount} cells`, [ours.spearman], theirs && [theirs.spearman]),
        ...spentResults(`splines over ${cellCount} cells`, [ours.splines], theirs && [theirs.splines]),
        ...spentResults(
          `Spearman in samples of ${cellCount} cells`,
          [ours.samples],
          theirs && [theirs.samples],
        ),
      );
      if (!theirs) continue;
      notes.push(
        `${cellCount} cells, largest differences: rho ${apart(ours.rho, theirs.rho)}, p ${apart(ours.p, theirs.p)}, p of splines ${apart(ours.splineP, theirs.splineP)}, combined p ${apart(ours.sampleP, theirs.sampleP)}`,
      );
    }
    return { results, notes };
  },
};

async function scipyOf(python: string, file: string, data: SimulatedAxis): Promise<Peer> {
  await writeFile(file, bytesOf(data));
  const sizes = [data.axis.length, data.block.starts.length - 1, degrees].map(String);
  return (await runForJson(python, [paths.gradientPeer, file, ...sizes])) as Peer;
}

interface SimulatedAxis {
  readonly axis: Float64Array;
  readonly samples: Int32Array;
  readonly block: GeneBlock;
}

function simulated(cellCount: number, geneCount: number): SimulatedAxis {
  const bits = new SeededBits(71);
  const draws = new Uint32Array(2 * cellCount);
  const share = (at: number) => (draws[at]! + 0.5) / 2 ** 32;
  bits.drawInto(draws);
  const axis = Float64Array.from({ length: cellCount }, (_, cell) => share(cell));
  const samples = Int32Array.from({ length: cellCount }, (_, cell) => draws[cellCount + cell]! % sampleCount);
  const starts = new Float64Array(geneCount + 1);
  const cells: number[] = [];
  const values: number[] = [];
  for (let gene = 0; gene < geneCount; gene++) {
    bits.drawInto(draws);
    // A third rises, a third falls, and a third does neither.
    const slope = (gene % 3) - 1;
    for (let cell = 0; cell < cellCount; cell++) {
      const chance = density * (1 + slope * 0.4 * (2 * axis[cell]! - 1));
      if (share(cell) >= chance) continue;
      cells.push(cell);
      // Counts have few values, so that there are ties.
      values.push(Math.log1p(1 + Math.floor(-2 * Math.log(share(cellCount + cell)))));
    }
    starts[gene + 1] = cells.length;
  }
  const block = {
    cellCount,
    firstGene: 0,
    starts,
    cells: Int32Array.from(cells),
    values: Float32Array.from(values),
  };
  return { axis, samples, block };
}

function tested({ axis, samples, block }: SimulatedAxis) {
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

function bytesOf({ axis, samples, block }: SimulatedAxis): Uint8Array {
  const parts = [axis, block.starts, samples, block.cells, block.values];
  const whole = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
    at += part.byteLength;
  }
  return whole;
}

function apart(ours: Float64Array, theirs: readonly number[]): string {
  return theirs
    .reduce((maximum, one, gene) => Math.max(maximum, Math.abs(one - ours[gene]!)), 0)
    .toExponential(1);
}
