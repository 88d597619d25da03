import { ownerOfUser } from '../../../runtime/owners.ts';
import type { Database } from '@cellfolio/platform';
import type { Dataset, DatasetManifest } from '@cellfolio/store';
import { expect, test } from 'vitest';
import type { OpenDatasets } from '../../../runtime/compute/open-datasets.ts';
import { Subclusterings } from './subclusterings.ts';

const manifest = {
  id: 'big.h5ad',
  version: '1',
  cellCount: 100_000,
  geneCount: 20_000,
  expression: { hasCounts: true },
  catalogue: { name: 'Big' },
  warnings: [],
} as unknown as DatasetManifest;

const mebibyte = 2 ** 20;

/** A call about these cells, by a user with the plan; reaching a transaction means that its job would be queued. */
function begun(memoryBytes: number, cells: number | undefined, more: Partial<DatasetManifest> = {}) {
  const database = {
    pool: { query: async () => ({ rows: [{ professional: true }] }) },
    transaction: async () => {
      throw new Error('queued');
    },
  } as unknown as Database;
  const dataset = {
    manifest,
    storedMatrix: async () => ({ starts: Float64Array.of(0, 400_000_000) }),
  } as unknown as Dataset;
  const subclusterings = new Subclusterings({
    database,
    datasets: { get: async () => dataset } as unknown as OpenDatasets,
    readable: { find: async () => undefined },
    memoryBytes,
    wake: () => undefined,
  });
  const mask = cells === undefined ? undefined : { bits: new Uint8Array(manifest.cellCount), count: cells };
  const selection = { manifest: { ...manifest, ...more }, subset: undefined };
  return subclusterings.begin(ownerOfUser('ada'), { selection, mask }, {
    name: 'Part',
    choices: {},
  } as unknown as Parameters<Subclusterings['begin']>[2]);
}

test('a subclustering of all cells that exceeds the memory of a job is refused on request, with the setting', async () => {
  await expect(begun(2048 * mebibyte, undefined)).rejects.toMatchObject({
    status: 422,
    code: 'too_large',
    message: expect.stringMatching(
      /^A new map of these 100,000 cells needs about [\d,]+ MiB of memory, and a job may use 2,048 MiB here\. .*JOB_MEMORY_MB/,
    ),
  });
  await expect(begun(8192 * mebibyte, undefined)).rejects.toThrow('queued');
});

test('some cells are refused by their number alone, and else left to the job, which counts their entries', async () => {
  await expect(begun(300 * mebibyte, 90_000)).rejects.toMatchObject({ code: 'too_large' });
  await expect(begun(2048 * mebibyte, 90_000)).rejects.toThrow('queued');
});

test('counts with fractions are refused, with what makes them whole', async () => {
  const expression = { ...manifest.expression, fractionalCounts: true };
  await expect(begun(8192 * mebibyte, undefined, { expression })).rejects.toMatchObject({
    status: 422,
    code: 'no_raw_counts',
    message: expect.stringMatching(/^Counts of Big have fractions, .* Round them in the file/),
  });
});
