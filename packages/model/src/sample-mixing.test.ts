import { expect, test } from 'vitest';
import { mixingCaution, mixingText, sampleMixing } from './sample-mixing.ts';

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function cells(
  shares: readonly number[],
  clusters: number,
  cluster: (sample: number, random: () => number) => number,
) {
  const random = generator(3);
  const samples = Int32Array.from({ length: 4000 }, () => {
    let at = random();
    return shares.findIndex((share) => (at -= share) < 0);
  });
  const names = (count: number) => Array.from({ length: count }, (_, at) => String(at));
  return [
    { codes: samples.map((sample) => cluster(sample, random)), categories: names(clusters) },
    { codes: samples, categories: names(shares.length) },
  ] as const;
}

const anywhere = (clusters: number) => (_: number, random: () => number) => Math.floor(random() * clusters);

test('clusters of one sample each are reported with their figures', () => {
  const [clusters, samples] = cells(
    [0.4, 0.35, 0.25],
    12,
    (sample, random) => 4 * sample + Math.floor(random() * 4),
  );
  const mixing = sampleMixing(clusters, samples)!;
  expect(mixing).toMatchObject({
    clusters: 12,
    samples: 3,
    oneSampleClusters: 12,
    oneSampleCells: 1,
    entropy: 0,
  });
  const caution = mixingCaution(mixing, 'donor', {
    near: { neighbours: 14, effectiveSamples: 1.04, expectedSamples: 2.9 },
    tested: 'donor',
  })!;
  expect(caution.code).toBe('samples-not-mixed');
  expect(caution.message).toMatch(
    /^12 of 12 clusters, with 100 % of the cells, .* \(3 samples of 'donor', the replicates of tests\)\. .*\/blog\/batch-correction-scrna-seq-methods-comparison/,
  );
  expect(caution.numbers).toMatchObject({ column: 'donor', oneSampleClusters: 12, effectiveSamples: 1.04 });
  // Over donors an integration takes out what is looked for.
  expect(caution.message).toContain('integrate over a column of batches, not of donors');
  const lanes = mixingCaution(mixing, 'lane', { tested: 'donor' })!;
  expect(lanes.message).toContain("samples of 'lane'; tests use 'donor'");
  expect(lanes.message).toContain("integrate over 'lane'");
  const after = mixingCaution(mixing, 'donor', {
    integrated: { method: 'mnn', over: 'sample' },
  })!;
  expect(after.message).toContain("Integration over 'sample' (Mutual nearest neighbors) did not remove it");
  expect(after.message).not.toMatch(/before the upload|Subclustering/);
});

test('samples that share clusters and lie apart within them are detected by the neighbours of cells', () => {
  const mixing = sampleMixing(...cells([0.5, 0.5], 4, anywhere(4)))!;
  const near = (effectiveSamples: number) => ({ neighbours: 14, effectiveSamples, expectedSamples: 2 });
  // Half of the way from 50 % of the neighbours to all of them.
  expect(mixingCaution(mixing, 'donor', { near: near(1 / 0.74) })).toBeUndefined();
  expect(mixingCaution(mixing, 'donor', { near: near(1 / 0.76) })!.message).toMatch(
    /^The nearest neighbors of a cell are of 1\.32 samples \(effective number; 2\.00 if mixed\)/,
  );
});

test('the text reports how samples mix before and after integration, with the value of fully mixed samples', () => {
  const of = (effectiveSamples: number) => ({ neighbours: 14, effectiveSamples, expectedSamples: 2.98 });
  expect(mixingText(of(2.512), of(2.049))).toBe(
    'Effective number of samples among the 14 nearest neighbors of a cell (inverse Simpson index, as LISI): 2.05 before integration, 2.51 after; 2.98 if samples were fully mixed, 1 if fully apart.',
  );
});

test('clusters that are too small to judge are left out of the number, which says so', () => {
  const [clusters, samples] = cells([0.5, 0.5], 3, (sample) => sample);
  for (let cell = 0; cell < 5; cell++) clusters.codes[cell] = 2;
  const mixing = sampleMixing(clusters, samples)!;
  expect(mixing).toMatchObject({ clusters: 2, smallClusters: 1 });
  expect(mixingCaution(mixing, 'donor')!.message).toMatch(
    /^2 of 2 clusters of at least 20 cells, with 100 %/,
  );
});

test('mixed samples are not cautioned of', () => {
  const mixing = sampleMixing(...cells([0.4, 0.35, 0.25], 12, anywhere(12)))!;
  expect(mixing.oneSampleClusters).toBe(0);
  expect(mixing.entropy).toBeGreaterThan(0.98);
  expect(mixingCaution(mixing, 'donor')).toBeUndefined();
});

test.each([0.85, 0.92, 0.97])(
  'a sample that has %f of all cells does not make mixed clusters its own',
  (share) => {
    const mixing = sampleMixing(...cells([share, 1 - share], 10, anywhere(10)))!;
    expect(mixing.oneSampleClusters).toBe(0);
    expect(mixingCaution(mixing, 'donor')).toBeUndefined();
  },
);

test('two samples of unequal size that share no cluster are reported', () => {
  const mixing = sampleMixing(
    ...cells([0.9, 0.1], 6, (sample, random) => (sample === 1 ? 5 : anywhere(5)(sample, random))),
  )!;
  expect(mixing).toMatchObject({ oneSampleClusters: 6, entropy: 0 });
  expect(mixingCaution(mixing, 'donor')).toBeDefined();
});

test('one cluster of one sample among mixed ones is no reason for a caution', () => {
  const mixing = sampleMixing(
    ...cells([0.5, 0.5], 10, (sample, random) =>
      sample === 0 && random() < 0.1 ? 9 : anywhere(9)(sample, random),
    ),
  )!;
  expect(mixing.oneSampleClusters).toBe(1);
  expect(mixingCaution(mixing, 'donor')).toBeUndefined();
});

test('with one sample, one cluster, or next to no cells of a second there is nothing to mix', () => {
  expect(sampleMixing(...cells([1], 10, anywhere(10)))).toBeUndefined();
  expect(sampleMixing(...cells([0.5, 0.5], 1, () => 0))).toBeUndefined();
  expect(sampleMixing(...cells([0.998, 0.002], 10, anywhere(10)))).toBeUndefined();
});

test('cells without a cluster or a sample are left out', () => {
  const [clusters, samples] = cells([0.5, 0.5], 4, anywhere(4));
  const codes = clusters.codes.map((code, cell) => (cell % 5 === 0 ? -1 : code));
  const mixing = sampleMixing({ ...clusters, codes }, samples)!;
  expect(mixing.clusters).toBe(4);
});
