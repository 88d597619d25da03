import { beforeAll, expect, test } from 'vitest';
import type { CountBlock } from './process-input.ts';
import { memoryNeeded, processCounts, type ProcessOptions } from './process-counts.ts';
import type { ProcessPart, ProcessProgress, ProcessResult } from './process-result.ts';
import { inBlocks, simulateCounts, defaultSettings } from './testing/simulated-counts.ts';

const simulated = simulateCounts({ cells: 240, genes: 1000, groups: 3 });
const byCell = () => inBlocks(simulated, 'cell', 64);
const small: ProcessOptions = {
  threads: 1,
  settings: { ...defaultSettings, variableGenes: 100, components: 10, resolution: 0.5 },
};

let result: Required<ProcessResult>;
const steps = new Set<ProcessProgress['step']>();
const fractions: number[] = [];
beforeAll(async () => {
  const onProgress = ({ step, fraction }: ProcessProgress) => {
    steps.add(step);
    fractions.push(fraction);
  };
  result = (await processCounts(byCell(), { ...small, onProgress })) as Required<ProcessResult>;
});

test('cells of one kind come out as one cluster and lie together on the UMAP', () => {
  expect([...steps]).toEqual([
    'Reading counts',
    'Quality control',
    'Normalization',
    'Variable genes',
    'Principal components',
    'Neighbors',
    'Clusters',
    'UMAP',
  ]);
  expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
  expect(fractions.at(-1)).toBe(1);

  expect(result.clusterCount).toBe(3);
  const groupOf = new Map<number, number>();
  for (const [position, cell] of result.keptCells.entries()) {
    const group = simulated.groups[cell]!;
    const cluster = result.clusters[position]!;
    expect(groupOf.get(cluster) ?? group, `cell ${cell}`).toBe(group);
    groupOf.set(cluster, group);
  }
  expect(new Set(groupOf.values()).size).toBe(3);

  expect(result.umap).toHaveLength(result.keptCells.length * 2);
  expect(result.umap.every(Number.isFinite)).toBe(true);
  expect(shareOfNearestInSameGroup(result.umap, result.keptCells)).toBeGreaterThan(0.98);
  expect(result.pca).toHaveLength(result.keptCells.length * result.components);
  expect(result.quality.geneCounts.mitochondrial).toBe(5);
  expect(result.computedBy).toMatch(/^Cellfolio \d+\.\d+\.\d+/);
});

test('the result is the same by genes as by cells, in small blocks as in one, with more threads', async () => {
  const others = [
    await processCounts(inBlocks(simulated, 'gene', 33), small),
    await processCounts(inBlocks(simulated, 'cell', 1000), { ...small, threads: 2 }),
  ];
  for (const other of others) {
    expect(other.clusters).toEqual(result.clusters);
    expect(other.umap).toEqual(result.umap);
    expect(other.pca).toEqual(result.pca);
    expect(other.quality).toEqual(result.quality);
  }
});

test('steps that were not requested are not computed, and requested ones are the same without them', async () => {
  const only = async (...parts: ProcessPart[]) => {
    const steps = new Set<ProcessProgress['step']>();
    const onProgress = ({ step }: ProcessProgress) => void steps.add(step);
    const partial = await processCounts(byCell(), { ...small, parts, onProgress });
    expect(partial.pca).toEqual(result.pca);
    return { ...partial, steps: [...steps].slice(5) };
  };
  const clustered = await only('clusters');
  expect(clustered).toMatchObject({ clusters: result.clusters, steps: ['Neighbors', 'Clusters'] });
  expect(clustered).not.toHaveProperty('umap');
  const mapOnly = await only('umap');
  expect(mapOnly).toMatchObject({ umap: result.umap, clusterCount: 0, steps: ['Neighbors', 'UMAP'] });
  expect(mapOnly).not.toHaveProperty('clusters');
  expect((await only()).steps).toEqual([]);
});

test('thresholds that are given decide which cells stay', async () => {
  const totals = simulated.rows.map((row) => row.reduce((sum, count) => sum + count, 0));
  const minimumCounts = totals.toSorted((a, b) => a - b)[100]!;
  const result = await processCounts(byCell(), {
    ...small,
    parts: [],
    settings: { ...small.settings, quality: { deviations: 5, minimumCounts, minimumGenes: 0 } },
  });
  expect(result.quality.groups[0]!.thresholds.minimumCounts).toBe(minimumCounts);
  expect(Array.from(result.quality.counts)).toEqual(totals);
  expect(Array.from(result.keptCells)).toEqual(
    totals.flatMap((total, cell) => (total >= minimumCounts ? [cell] : [])),
  );
});

test('filters that leave too few cells say what they were', async () => {
  const settings = { ...small.settings, quality: { deviations: 5, minimumCounts: 1_000_000 } };
  await expect(processCounts(byCell(), { ...small, settings })).rejects.toMatchObject({
    name: 'ProcessError',
    code: 'too-few-cells',
    message: expect.stringContaining(
      '0 of 240 cells pass quality control (at least 1000000 counts',
    ) as string,
  });
});

test('what takes more memory than allowed is refused: at once where its size is known, else while it is read', async () => {
  const refusal = {
    name: 'ProcessError',
    code: 'too-large',
    message: expect.stringMatching(
      /^Processing these 240 cells takes about \d+ MiB of memory, and \d+ MiB may be used\. Take fewer cells/,
    ) as string,
  };
  const blocks = [...(byCell().blocks as Iterable<CountBlock>)];
  const entryCount = blocks.reduce((sum, { indices }) => sum + indices.length, 0);
  // With few neighbours the counts take more than the map.
  const settings = { ...small.settings, neighbours: 2 };
  const memoryBytes = memoryNeeded({ cellCount: 240, geneCount: 1000, entryCount: entryCount - 1 }, settings);
  let read = 0;
  const counted = function* () {
    for (const block of blocks) {
      read++;
      yield block;
    }
  };
  const processing = processCounts(
    { ...byCell(), entryCount, blocks: counted() },
    { ...small, settings, memoryBytes },
  );
  await expect(processing).rejects.toMatchObject(refusal);
  expect(read).toBe(0);
  const unknown = processCounts({ ...byCell(), blocks: counted() }, { ...small, settings, memoryBytes });
  await expect(unknown).rejects.toMatchObject(refusal);
  expect(read).toBe(blocks.length);
});

test('where most cells have no mitochondrial counts, those with a few stay', async () => {
  const rows = simulated.rows.map((row, cell) =>
    row.map((count, gene) => (gene < 5 ? Number(gene === 0 && cell % 5 === 0) : count)),
  );
  const result = await processCounts(inBlocks({ ...simulated, rows }, 'cell', 300), { ...small, parts: [] });
  expect(result.quality.mitochondrial.filter((share) => share > 0)).toHaveLength(48);
  expect(result.quality.groups[0]!.thresholds.maximumMitochondrial).toBe(0.08);
  expect(result.keptCells).toHaveLength(240);
});

test('counts without any difference between cells give no map, and say so', async () => {
  const rows = Array.from({ length: 50 }, () => new Int32Array(30).fill(3));
  const geneNames = Array.from({ length: 30 }, (_, gene) => `GENE${gene}`);
  const counts = inBlocks({ groups: [], rows, geneNames }, 'cell', 50);
  await expect(processCounts(counts, small)).rejects.toMatchObject({ code: 'no-variable-genes' });
});

test('an abort ends the work with its reason, while reading and while computing', async () => {
  const early = new AbortController();
  const reading = processCounts(byCell(), {
    ...small,
    signal: early.signal,
    onProgress: () => early.abort(new Error('enough')),
  });
  await expect(reading).rejects.toThrow('enough');
  const late = new AbortController();
  const computing = processCounts(byCell(), {
    ...small,
    signal: late.signal,
    onProgress: ({ step }) => step === 'UMAP' && late.abort(new Error('enough of that')),
  });
  await expect(computing).rejects.toThrow('enough of that');
});

function shareOfNearestInSameGroup(umap: Float32Array, cells: Int32Array): number {
  const groups = Array.from(cells, (cell) => simulated.groups[cell]!);
  const same = groups.filter((group, a) => {
    let nearest = -1;
    let minDistance = Infinity;
    for (let b = 0; b < groups.length; b++) {
      const distance = (umap[2 * a]! - umap[2 * b]!) ** 2 + (umap[2 * a + 1]! - umap[2 * b + 1]!) ** 2;
      if (b !== a && distance < minDistance) [nearest, minDistance] = [b, distance];
    }
    return groups[nearest] === group;
  });
  return same.length / groups.length;
}

test('50,000 cells of 20,000 genes are held within 2 GiB, so are 174,000 of few counts, a million are not', () => {
  const perCell = { geneCount: 20_000 };
  const needed = (cellCount: number) =>
    memoryNeeded({ ...perCell, cellCount, entryCount: cellCount * 2000 }, defaultSettings);
  expect(needed(50_000)).toBeLessThan(2 * 2 ** 30);
  expect(
    memoryNeeded({ ...perCell, cellCount: 173_954, entryCount: 171_621_943 }, defaultSettings),
  ).toBeLessThan(2 * 2 ** 30);
  expect(needed(1_000_000)).toBeGreaterThan(8 * 2 ** 30);
});

test('what was measured is foretold, with room to spare', () => {
  const measured = [
    { cellCount: 25_806, geneCount: 20_000, entryCount: 25_339_194, peak: 496_152_576 },
    { cellCount: 68_937, geneCount: 20_000, entryCount: 68_000_682, peak: 804_884_480 },
    { cellCount: 173_954, geneCount: 20_000, entryCount: 171_621_943, peak: 1_640_165_376 },
  ];
  for (const { peak, ...size } of measured) expect(memoryNeeded(size, defaultSettings)).toBeGreaterThan(peak);
});
