import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  blockStatistics,
  groupEvidence,
  groupProfiles,
  profileSets,
  type ResolvedType,
} from '@cellfolio/analysis';
import type { GeneBlock } from '@cellfolio/model';
import { type BenchCase, cellCounts } from '../bench-context.ts';
import { SeededBits } from '../data/seeded-bits.ts';
import { runForJson } from '../measure/child.ts';
import type { Result } from '../measure/result.ts';
import { type Spent, spentResults, stopwatch } from '../measure/spent.ts';
import { paths } from '../paths.ts';

export const groupCount = 12;
const [typeCount, markersOfType] = [45, 10];
const repeats = 5;
const rule = { maxAdjustedP: 0.05, minExpressed: 3, minShare: 0.1, minMargin: 0.1 };

interface Peer {
  readonly means: readonly Spent[];
  readonly scores: readonly Spent[];
  /** Groups × types: t of the linear models. */
  readonly linear: readonly number[];
  /** Groups × types: adjusted p of over-representation. */
  readonly adjusted: readonly number[];
}

export const cellTypesCase: BenchCase = {
  name: 'cell-types',
  title: `${typeCount} types in ${groupCount} groups of 3,000 to 100,000 cells; peer: scanpy's aggregate, decoupler's ulm and ora`,
  async run({ options, scratch, python, report }) {
    const { density, genes: geneCount = 2000 } = options;
    const hasPeer = python !== undefined && spawnSync(python, ['-c', 'import decoupler']).status === 0;
    const results: Result[] = [];
    const notes = [
      `${geneCount} genes${hasPeer ? '; numba is warm' : '; without the peer: no Python with decoupler'}`,
    ];
    // Machine code is made at the first call, as that of numba is.
    suggested(simulatedTypes({ cellCount: 1000, geneCount, density }));
    for (const cellCount of cellCounts(options)) {
      report(`  ${cellCount} cells`);
      const data = simulatedTypes({ cellCount, geneCount, density });
      const runs = Array.from({ length: repeats }, () => suggested(data));
      const ours = runs[0]!;
      const theirs = hasPeer
        ? await decouplerOf(python, join(scratch, `types-${cellCount}.bin`), data)
        : undefined;
      results.push(
        ...spentResults(
          `profiles of ${cellCount} cells`,
          runs.map(({ means }) => means),
          theirs?.means,
        ),
        ...spentResults(
          `scores of ${cellCount} cells`,
          runs.map(({ scores }) => scores),
          theirs?.scores,
        ),
      );
      const right = ours.best.filter((type, group) => type === group).length;
      notes.push(
        `${cellCount} cells: ${right} of ${groupCount} groups told${theirs ? `; largest differences: score ${apart(ours.linear, theirs.linear)}, adjusted p of over-representation ${apart(ours.adjusted, theirs.adjusted)}` : ''}`,
      );
    }
    return { results, notes };
  },
};

export interface SimulatedTypes {
  readonly block: GeneBlock;
  readonly labels: Uint16Array;
}

/** Type t has the genes [10 t, 10 t + 10); group g expresses those of type g. */
export function simulatedTypes(
  { cellCount, geneCount, density }: { cellCount: number; geneCount: number; density: number },
  seed = 74,
): SimulatedTypes {
  const bits = new SeededBits(seed);
  const labels = Uint16Array.from({ length: cellCount }, (_, cell) => cell % groupCount);
  const draws = new Uint32Array(cellCount);
  const starts = new Float64Array(geneCount + 1);
  const [cells, values]: [number[], number[]] = [[], []];
  for (let gene = 0; gene < geneCount; gene++) {
    bits.drawInto(draws);
    const type = Math.floor(gene / markersOfType);
    const usual = density * (0.5 + bits.uniform());
    for (let cell = 0; cell < cellCount; cell++) {
      const chance = labels[cell] === type ? Math.min(0.6, 4 * usual) : usual;
      const draw = draws[cell]! / 2 ** 32;
      if (draw >= chance) continue;
      cells.push(cell);
      values.push(Math.log1p(1 + Math.floor((5 * draw) / chance)));
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
  return { block, labels };
}

export const types = Array.from({ length: typeCount }, (_, type) => ({
  type,
  rows: Int32Array.from({ length: markersOfType }, (__, at) => type * markersOfType + at),
  weights: new Float64Array(markersOfType).fill(1),
  missing: [],
}));

/** The best type of each group, −1 for Unclear, with all scores. */
export function suggested({ block, labels }: SimulatedTypes, candidates: readonly ResolvedType[] = types) {
  const sizes = new Float64Array(groupCount);
  for (const label of labels) sizes[label]!++;
  const names = Array.from(sizes, (_, group) => `g${group}`);
  const groups = { names, sizes, codes: labels, cellCount: labels.length };
  const groupIds = [...names.keys()];
  const ofMeans = stopwatch();
  const profiles = groupProfiles([blockStatistics(block, groups, 't-test')], groups, groupIds);
  const means = ofMeans();
  const ofScores = stopwatch();
  const sets = profileSets(candidates, profiles);
  const evidence = groupIds.map((group) => groupEvidence(profiles, group, sets, rule));
  return {
    means,
    scores: ofScores(),
    best: evidence.map(({ order, reasons }) => (reasons.length === 0 ? order[0]! : -1)),
    linear: evidence.flatMap(({ linear }) => Array.from(linear.scores)),
    adjusted: evidence.flatMap(({ top }) => Array.from(top.adjustedPs)),
  };
}

async function decouplerOf(python: string, file: string, { block, labels }: SimulatedTypes): Promise<Peer> {
  const parts = [block.starts, Int32Array.from(labels), block.cells, block.values];
  await writeFile(file, Buffer.concat(parts.map(({ buffer }) => Buffer.from(buffer))));
  const sizes = [block.cellCount, block.starts.length - 1, groupCount, typeCount, markersOfType, repeats].map(
    String,
  );
  return (await runForJson(python, [paths.cellTypesPeer, file, ...sizes])) as Peer;
}

function apart(ours: readonly number[], theirs: readonly number[]): string {
  return theirs
    .reduce((maximum, one, at) => Math.max(maximum, Math.abs(one - ours[at]!)), 0)
    .toExponential(1);
}
