import { join } from 'node:path';
import { temporaryRoot } from '@cellfolio/bytes/testing';
import { File, ready } from 'h5wasm/node';
import { expect, test } from 'vitest';
import { importH5ad, inspectH5ad, reportRows } from '../../index.ts';
import { fixtureCatalogue, soundFile, writeHdf5 } from '../../testing/hdf5-fixtures.ts';

async function fileOf(organism: string | string[] | number): Promise<string> {
  await ready;
  const path = join(await temporaryRoot(), 'x.h5ad');
  await writeHdf5(path, [...soundFile(40, 10)]);
  const file = new File(path, 'a');
  if (file.get('uns') === null) file.create_group('uns');
  file.create_dataset({ name: 'uns/organism_ontology_term_id', data: organism });
  file.close();
  return path;
}

test('the organism of all cells, which the file names in uns, is in the report and in the manifest', async () => {
  const path = await fileOf('NCBITaxon:9606');
  const report = await inspectH5ad(path);
  expect(report.organism).toBe('NCBITaxon:9606');
  expect(reportRows(report)).toContainEqual({ label: 'Organism', value: 'NCBITaxon:9606, of all cells' });
  const { manifest } = await importH5ad({
    path,
    root: await temporaryRoot(),
    id: 'x.h5ad',
    catalogue: fixtureCatalogue('x'),
  });
  expect(manifest.organism).toBe('NCBITaxon:9606');
});

test.each([['human'], [['NCBITaxon:9606', 'NCBITaxon:10090']], [9606]])(
  'a text that is not the id of one organism is ignored: %j',
  async (organism) => {
    expect(await inspectH5ad(await fileOf(organism))).not.toHaveProperty('organism');
  },
);
