import { noteDifferences } from '@cellfolio/model/testing';
import { expect, test } from 'vitest';
import { takenRows } from '../components/taken-rows.ts';
import { CountsLoader, type Counts } from '../load-counts.ts';
import type { CountBlock } from '../process-input.ts';
import reference from '../samples-reference.json' with { type: 'json' };
import { inBlocks, type SimulatedCounts } from '../testing/simulated-counts.ts';
import { simulateSamples } from '../testing/simulated-samples.ts';
import { callDoublets, findDoublets } from './find-doublets.ts';
import { scrublet } from './scrublet.ts';
import { minimumThreshold } from './minimum-threshold.ts';

const all = ({ cellCount }: Counts) => new Uint8Array(cellCount).fill(1);

function loaded(simulated: SimulatedCounts): Counts {
  const { cellCount, by, geneNames, blocks } = inBlocks(simulated, 'cell', 100);
  const loader = new CountsLoader({ cellCount, by, geneCount: geneNames.length });
  for (const block of blocks as Iterable<CountBlock>) loader.add(block);
  return loader.finish();
}

test('scores, threshold and calls are those of scanpy, given the same parents', async () => {
  const { counts, parents, scores, simulatedScores, threshold, called, byHand } = reference.doublets;
  const rows = counts.map((row) => Int32Array.from(row));
  const matrix = loaded({ rows, groups: [], geneNames: counts[0]!.map((_, gene) => `GENE${gene}`) });
  const sample = takenRows(matrix, Int32Array.from(rows.keys()));
  const actual = (await scrublet(sample, { threads: 1, parents: Int32Array.from(parents.flat()) }))!;
  noteDifferences('doublets', actual.scores, scores, 1);
  // A cell twice is no doublet and lies where the cell lies: which of both is the nearest is left to chance.
  const two = parents.flatMap(([one, other], doublet) => (one === other ? [] : [doublet]));
  expect(two.length).toBeGreaterThan(parents.length - 3);
  const oursSimulated = Float64Array.from(two, (doublet) => actual.simulatedScores[doublet]!);
  const theirsSimulated = two.map((doublet) => simulatedScores[doublet]!);
  noteDifferences('doublets', oursSimulated, theirsSimulated, 1);
  const apart = (ours: Float64Array, theirs: readonly number[]) =>
    Math.max(...theirs.map((value, at) => Math.abs(value - ours[at]!)));
  expect(apart(actual.scores, scores)).toBeLessThan(1e-6);
  expect(apart(oursSimulated, theirsSimulated)).toBeLessThan(1e-6);
  const ours = minimumThreshold(actual.simulatedScores)!;
  expect(ours).toBeCloseTo(threshold, 6);
  expect(Array.from(callDoublets(actual, ours).called)).toEqual(called);
  for (const one of byHand) {
    const calls = callDoublets(actual, one.threshold);
    expect(Array.from(calls.called)).toEqual(one.called);
    noteDifferences('doublets', [calls.detectable], [one.detectable], 1);
    expect(calls.detectable).toBeCloseTo(one.detectable, 9);
  }
});

test('of planted doublets most are found, few other cells are taken for some, and samples are apart', async () => {
  const simulated = simulateSamples({
    samples: 2,
    cellsOfSample: 600,
    types: 4,
    genes: 800,
    doubletShare: 0.08,
    batchEffect: 0.3,
  });
  const matrix = loaded(simulated);
  const names = ['one', 'other'];
  const result = await findDoublets(
    matrix,
    { keep: all(matrix), samples: { codes: simulated.samples, names } },
    2,
  );
  const share = (of: (cell: number) => boolean) => {
    const cells = Array.from(simulated.doublets.keys()).filter(of);
    return cells.reduce((sum, cell) => sum + result.called[cell]!, 0) / cells.length;
  };
  expect(share((cell) => simulated.doublets[cell] === 1)).toBeGreaterThan(0.85);
  expect(share((cell) => simulated.doublets[cell] === 0)).toBeLessThan(0.03);
  expect(result.groups.map(({ sample, cells }) => [sample, cells])).toEqual([
    ['one', 600],
    ['other', 600],
  ]);
  for (const [sample, { called, threshold }] of result.groups.entries()) {
    const own = Array.from(simulated.samples.keys()).filter((cell) => simulated.samples[cell] === sample);
    expect(own.filter((cell) => result.called[cell] === 1)).toHaveLength(called);
    expect(own.every((cell) => result.called[cell] === Number(result.scores[cell]! > threshold!))).toBe(true);
    expect(result.groups[sample]).not.toHaveProperty('neighbourRecall');
  }
  // A sample alone has the scores that it has beside others.
  const only = await findDoublets(
    matrix,
    {
      keep: all(matrix),
      samples: { codes: simulated.samples.map((sample) => (sample === 0 ? 0 : -1)), names: ['one'] },
    },
    1,
  );
  expect(only.scores.slice(0, 600)).toEqual(result.scores.slice(0, 600));
});

test('a threshold that was chosen is that of every sample, and histograms hold each score once', async () => {
  const matrix = loaded(
    simulateSamples({
      samples: 2,
      cellsOfSample: 200,
      types: 4,
      genes: 300,
      doubletShare: 0.08,
      batchEffect: 0.3,
    }),
  );
  const codes = Array.from({ length: 400 }, (_, cell) => Number(cell >= 200));
  const keep = all(matrix);
  const result = await findDoublets(matrix, { keep, samples: { codes, names: ['one', 'other'] } }, 1);
  const by = await findDoublets(
    matrix,
    { keep, samples: { codes, names: ['one', 'other'] }, threshold: 0.14 },
    1,
  );
  expect(by.scores).toEqual(result.scores);
  expect(by.groups.map(({ threshold }) => threshold)).toEqual([0.14, 0.14]);
  for (const [sample, { called, histogram, detectable }] of by.groups.entries()) {
    const scores = by.scores.slice(200 * sample, 200 * (sample + 1));
    expect(called).toBe(scores.filter((score) => score > 0.14).length);
    const { observed, simulated } = histogram!;
    expect(observed).toHaveLength(200);
    expect(
      observed.map((_, bin) => scores.filter((score) => Math.floor(score * 200) === bin).length),
    ).toEqual(observed);
    expect(simulated.reduce((sum, count) => sum + count)).toBe(400);
    // The threshold is an edge: what is right of it is above.
    const above = simulated.slice(28).reduce((sum, count) => sum + count);
    expect(above / 400).toBeCloseTo(detectable!, 9);
    expect(result.groups[sample]!.histogram).toEqual(histogram);
  }
});

test('a sample whose neighbours are searched for approximately says how many are found', async () => {
  const simulated = simulateSamples({
    samples: 1,
    cellsOfSample: 4100,
    types: 4,
    genes: 200,
    doubletShare: 0.08,
    batchEffect: 0,
  });
  const matrix = loaded(simulated);
  const { groups } = await findDoublets(matrix, { keep: all(matrix) }, 2);
  expect(groups[0]!.neighbourRecall!.cells).toBe(500);
  expect(groups[0]!.neighbourRecall!.share).toBeGreaterThan(0.96);
});

test('a sample of few cells is not looked at, and says so', async () => {
  const simulated = simulateSamples({
    samples: 1,
    cellsOfSample: 30,
    types: 2,
    genes: 200,
    doubletShare: 0,
    batchEffect: 0,
  });
  const matrix = loaded(simulated);
  const result = await findDoublets(matrix, { keep: all(matrix) }, 1);
  expect(result.groups).toEqual([{ cells: 30, called: 0, skipped: 'few-cells' }]);
  expect(result.scores.every(Number.isNaN)).toBe(true);
});
