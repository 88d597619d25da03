import { noteDifferences } from '@cellfolio/model/testing';
import { expect, test } from 'vitest';
import reference from '../process-reference.json' with { type: 'json' };
import { inBlocks } from '../testing/simulated-counts.ts';
import { spreadsOf } from './plan-quality.ts';
import { measureCounts } from './cell-measures.ts';

const { names, counts, measures, spreads } = reference.quality;
const simulated = { groups: [], geneNames: names, rows: counts.map((row) => Int32Array.from(row)) };

test.each(['cell', 'gene'] as const)(
  'counts, genes and shares are those of scanpy, read by %s',
  async (by) => {
    const measured = await measureCounts(inBlocks(simulated, by, 7));
    expect(measured.geneCounts).toEqual({ mitochondrial: 3, ribosomal: 2, haemoglobin: 2 });
    expect(Array.from(measured.counts)).toEqual(measures.total_counts);
    expect(Array.from(measured.genes)).toEqual(measures.n_genes_by_counts);
    const shares = [
      [measured.mitochondrial, measures.pct_counts_mt],
      [measured.ribosomal, measures.pct_counts_ribo],
      [measured.haemoglobin, measures.pct_counts_hb],
    ] as const;
    for (const [ours, theirs] of shares) {
      noteDifferences(
        'quality',
        Array.from(ours, (share) => 100 * share),
        theirs,
        1,
      );
      const apart = theirs.map((percent, cell) => Math.abs(100 * ours[cell]! - percent));
      expect(Math.max(...apart)).toBeLessThan(1e-6);
    }
  },
);

test('medians and median absolute deviations are those of scipy', async () => {
  const actual = spreadsOf(await measureCounts(inBlocks(simulated, 'cell', 50)), [...counts.keys()]);
  for (const [measure, [median, deviation]] of Object.entries(spreads)) {
    expect(actual[measure as 'counts'].median).toBeCloseTo(median!, 9);
    expect(actual[measure as 'counts'].deviation).toBeCloseTo(deviation!, 9);
  }
});

test('a value that is no count is refused', async () => {
  const matrix = inBlocks(simulated, 'cell', 50);
  const [block] = matrix.blocks as [{ pointers: number[]; indices: Int32Array; counts: number[] }];
  for (const value of [0.5, -1, NaN, Infinity]) {
    const blocks = [{ ...block, counts: block.counts.with(3, value) }];
    await expect(measureCounts({ ...matrix, blocks })).rejects.toMatchObject({ code: 'not-counts' });
  }
});
