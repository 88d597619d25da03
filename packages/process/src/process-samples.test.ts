import { beforeAll, expect, test } from 'vitest';
import { mergedGroups } from './integration/kept-apart.ts';
import { adjustedRandIndex } from './leiden-clusters.ts';
import { processCounts, type ProcessOptions } from './process-counts.ts';
import type { ProcessProgress, ProcessResult } from './process-result.ts';
import { defaultSettings, inBlocks } from './testing/simulated-counts.ts';
import { simulateSamples } from './testing/simulated-samples.ts';

const simulated = simulateSamples({
  samples: 3,
  cellsOfSample: 300,
  types: 4,
  genes: 700,
  doubletShare: 0.06,
  batchEffect: 0.5,
});
const names = ['a', 'b', 'c'];
const samples = { codes: simulated.samples, names };
const types = { codes: simulated.types, names: ['T', 'B', 'NK', 'mono'] };
const options: ProcessOptions = {
  threads: 1,
  settings: { ...defaultSettings, variableGenes: 300, components: 20, resolution: 0.5 },
  samples,
  mixing: simulated.samples,
};
const counts = () => inBlocks(simulated, 'cell', 200);

let plain: ProcessResult;
let integrated: Required<ProcessResult>;
const steps = new Set<ProcessProgress['step']>();
const fractions: number[] = [];
beforeAll(async () => {
  plain = await processCounts(counts(), { ...options, combine: { doublets: 'remove', batches: samples } });
  integrated = (await processCounts(counts(), {
    ...options,
    combine: { doublets: 'remove', batches: samples, integrate: 'harmony', types, resolutions: [0.2, 2] },
    onProgress: ({ step, fraction }) => {
      steps.add(step);
      fractions.push(fraction);
    },
  })) as Required<ProcessResult>;
});

const ofKept = ({ keptCells }: ProcessResult, codes: ArrayLike<number>) =>
  Int32Array.from(keptCells, (cell) => codes[cell]!);

test('doublets are removed, and every checked cell has a score', () => {
  const { doublets, keptCells, quality } = integrated;
  const keptSet = new Set(keptCells);
  const cells = simulated.rows.map((_, cell) => cell);
  const staying = cells.filter((cell) => quality.keep[cell] === 1 && doublets.called[cell] === 0);
  expect(cells.filter((cell) => keptSet.has(cell))).toEqual(staying);
  const scored = cells.filter((cell) => !Number.isNaN(doublets.scores[cell]!));
  expect(scored).toEqual(cells.filter((cell) => quality.keep[cell] === 1));
  const left = Array.from(keptCells).filter((cell) => simulated.doublets[cell] === 1).length;
  const planted = simulated.doublets.reduce((sum, is) => sum + is, 0);
  expect(left / planted).toBeLessThan(0.25);
  expect(doublets.groups.map(({ sample }) => sample)).toEqual(names);
});

test('doublets that are only marked stay', async () => {
  const marked = await processCounts(counts(), { ...options, parts: [], combine: { doublets: 'mark' } });
  expect(marked.doublets).toEqual(integrated.doublets);
  expect(marked.keptCells).toHaveLength(marked.quality.keep.reduce((sum, stays) => sum + stays, 0));
});

test('where a threshold calls nearly every cell a doublet, the refusal names it, and not quality control', async () => {
  const of = (doubletThreshold: number, doublets: 'remove' | 'mark') =>
    processCounts(counts(), { ...options, parts: [], combine: { doublets, doubletThreshold } });
  await expect(of(0, 'remove')).rejects.toThrow(
    /^(\d+) of the \1 cells that passed quality control were called doublets \(threshold 0\), so that 0 are left, and at least 20 are needed\. Set a greater threshold of doublet scores, or keep doublets\.$/,
  );
  const { keptCells, doublets } = await of(0, 'mark');
  expect(Array.from(keptCells).every((cell) => doublets!.called[cell] === 1)).toBe(true);
});

test('without integration samples lie apart; with it they mix and types stay apart', () => {
  const apart = plain.mixing!;
  const { mixing, integration } = integrated;
  expect(apart.effectiveSamples).toBeLessThan(1.3);
  expect(mixing.effectiveSamples).toBeGreaterThan(2.3);
  expect(integration.mixingBefore).toEqual(apart);
  expect(integration.pca).not.toEqual(integrated.pca);
  expect(integrated.pca).toEqual(plain.pca);
  expect(integration.umapBefore).toEqual(plain.umap);
  expect(integration.judgedBy).toBe('types');
  expect(integration.groups.map(({ name }) => name)).toEqual(types.names);
  for (const { name, after } of integration.groups) expect(after, name).toBeGreaterThan(0.95);
  expect(mergedGroups(integration.groups)).toEqual([]);
  const trueTypes = ofKept(integrated, simulated.types);
  expect(adjustedRandIndex(integrated.clusters, trueTypes)).toBeGreaterThan(0.9);
  expect(adjustedRandIndex(plain.clusters!, trueTypes)).toBeLessThan(0.6);
});

test('further clusterings come at their resolutions, and all steps are reported in order', () => {
  expect(integrated.clusterings.map(({ resolution }) => resolution)).toEqual([0.2, 2]);
  for (const { clusters, clusterCount } of integrated.clusterings)
    expect(new Set(clusters).size).toBe(clusterCount);
  expect([...steps]).toEqual([
    'Reading counts',
    'Quality control',
    'Doublets',
    'Normalization',
    'Variable genes',
    'Principal components',
    'Neighbors',
    'Integration',
    'Clusters',
    'UMAP',
  ]);
  expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
});

test('without known types the clusters of each sample are to be kept apart', async () => {
  const judged = await processCounts(counts(), {
    ...options,
    parts: ['clusters'],
    combine: { batches: samples, integrate: 'harmony' },
  });
  const { judgedBy, groups, umapBefore } = judged.integration!;
  expect(judgedBy).toBe('clusters');
  expect(umapBefore).toBeUndefined();
  expect(groups[0]!.name).toMatch(/^cluster \d+ of [abc]$/);
  expect(mergedGroups(groups)).toEqual([]);
});

test('mutual nearest neighbours keep a type of one sample apart; a caution reports that they merge two types of one sample each', async () => {
  const all = simulateSamples({
    samples: 2,
    cellsOfSample: 300,
    types: 4,
    genes: 700,
    doubletShare: 0,
    batchEffect: 0.5,
    ownType: true,
  });
  const mixed = async (stays: (cell: number) => boolean) => {
    const cells = [...all.rows.keys()].filter(stays);
    const of = <T>(values: ArrayLike<T>) => cells.map((cell) => values[cell]!);
    const own = { geneNames: all.geneNames, rows: of(all.rows), groups: of(all.groups) };
    const two = { codes: of(all.samples), names: ['a', 'b'] };
    const cellTypes = { codes: of(all.types), names: types.names };
    return processCounts(inBlocks(own, 'cell', 200), {
      ...options,
      samples: two,
      mixing: two.codes,
      parts: ['clusters'],
      combine: { batches: two, integrate: 'mnn', types: cellTypes },
    });
  };
  // NK cells are in the second alone, and leave it here.
  const { integration, mixing } = await mixed((cell) => all.types[cell] !== 2);
  expect(integration!.run).toMatchObject({ method: 'mnn', neighbours: 15 });
  expect(mixing!.effectiveSamples).toBeGreaterThan(1.3 * integration!.mixingBefore!.effectiveSamples);
  for (const { name, after } of integration!.groups) expect(after, name).toBeGreaterThan(0.95);
  const both = await mixed(() => true);
  const merged = mergedGroups(both.integration!.groups).map(({ name }) => name);
  expect(merged.toSorted()).toEqual(['NK', 'mono']);
});
