import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packStrings, type Column } from '@cellfolio/model';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCounts } from '../counts/open-counts.ts';
import { writeH5ad } from '../write-h5ad/index.ts';
import { readSamples } from './read-samples.ts';

const CELLS = 4;
let folder = '';
const at = (name: string) => join(folder, `${name}.h5ad`);
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cellfolio-samples-'));
  const donors = texts('d1', 'd1', 'd2', 'd2');
  await write(
    'donors',
    new Map([
      ['donor_id', donors],
      ['same', texts('a', 'a', 'a', 'a')],
    ]),
  );
  await write(
    'samples',
    new Map([
      ['donor_id', donors],
      ['Sample ID', texts('x', 'y', 'x', 'z')],
    ]),
  );
  await write('bare', new Map());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function texts(...values: string[]): Column {
  return { kind: 'string', strings: packStrings(values) };
}

async function write(name: string, obs: ReadonlyMap<string, Column>): Promise<void> {
  const genes = {
    rowCount: 3,
    indexName: '_index',
    index: packStrings(['ENSG00000198888.2', 'ENSG00000075624', 'ENSG00000111640']),
    columns: new Map([
      ['gene_symbols', texts('ND1', 'ACTB', 'GAPDH')],
      ['gene_chr', texts('chrM', 'chr7', 'chr12')],
    ]),
  };
  await writeH5ad(at(name), {
    obs: {
      rowCount: CELLS,
      indexName: '_index',
      index: packStrings(Array.from({ length: CELLS }, (_, cell) => `cell-${cell}`)),
      columns: obs,
    },
    var: genes,
    X: { format: 'dense', dtype: 'float32', blocks: [{ values: new Float32Array(CELLS * 3).fill(2) }] },
  });
}

test('samples are of the column whose name says so, of one that is named, or of none', async () => {
  const found = await readSamples(at('samples'));
  expect(found).toMatchObject({ column: 'Sample ID', columns: ['Sample ID', 'donor_id'] });
  expect(found.samples!.categories).toEqual(['x', 'y', 'z']);
  expect(Array.from(found.samples!.codes)).toEqual([0, 1, 0, 2]);
  expect(await readSamples(at('samples'), 'donor_id')).toMatchObject({ column: 'donor_id' });
  expect(await readSamples(at('samples'), null)).toEqual({ columns: ['Sample ID', 'donor_id'] });
  // A column of one value tells no samples apart.
  expect(await readSamples(at('donors'))).toMatchObject({ column: 'donor_id', columns: ['donor_id'] });
  expect(await readSamples(at('bare'))).toEqual({ columns: [] });
});

test('a column that is not there is refused by name', async () => {
  await expect(readSamples(at('samples'), 'lane')).rejects.toMatchObject({ code: 'unknown-column' });
});

test('counts come with the symbols, the ids and the chromosomes of their genes', async () => {
  const counts = await openCounts(at('bare'));
  expect(counts).toMatchObject({
    geneNames: ['ND1', 'ACTB', 'GAPDH'],
    geneIds: ['ENSG00000198888.2', 'ENSG00000075624', 'ENSG00000111640'],
    chromosomes: ['chrM', 'chr7', 'chr12'],
  });
  counts!.close();
});
