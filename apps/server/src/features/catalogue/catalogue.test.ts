import { setTimeout as pause } from 'node:timers/promises';
import { temporaryRoot } from '@cellfolio/bytes/testing';
import { FileObjectStore, type ObjectStore } from '@cellfolio/store';
import { expect, test, vi } from 'vitest';
import { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { writeTinyDataset } from '../../testing/tiny-dataset.ts';
import { categorical, circle, writeTestDataset } from '../../testing/write-test-dataset.ts';
import { Catalogue } from './catalogue.ts';
import { DatasetTermsReader } from './dataset-terms.ts';

/** A bucket: it lists no folders, and as slowly as told. */
class SlowBucket implements ObjectStore {
  wait = 0;
  listings = 0;
  readonly #objects: FileObjectStore;

  constructor(root: string) {
    this.#objects = new FileObjectStore(root);
  }

  get: ObjectStore['get'] = (key, options) => this.#objects.get(key, options);
  put: ObjectStore['put'] = (key, body) => this.#objects.put(key, body);
  delete: ObjectStore['delete'] = (key) => this.#objects.delete(key);
  head: ObjectStore['head'] = (key) => this.#objects.head(key);

  async *list(prefix: string): AsyncIterable<string> {
    if (prefix === 'datasets/') this.listings++;
    await pause(this.wait);
    yield* this.#objects.list(prefix);
  }
}

test('while a bucket is slow the previous list is answered, and the latest as soon as it is there', async () => {
  const root = await temporaryRoot();
  await writeTinyDataset(root, 'first.h5ad');
  const bucket = new SlowBucket(root);
  const catalogue = new Catalogue(bucket, new OpenDatasets(bucket, { datasets: 1, cacheBytes: 0 }));
  const ids = async () => (await catalogue.manifests()).map(({ id }) => id);
  expect(await ids()).toEqual(['first.h5ad']);
  await writeTinyDataset(root, 'second.h5ad');
  await pause(2100);
  bucket.wait = 1500;
  expect(await ids()).toEqual(['first.h5ad']);
  await expect.poll(ids).toEqual(['first.h5ad', 'second.h5ad']);
  expect(bucket.listings).toBe(2);
});

test('the catalog lists ontology ids with their labels, read once a version, and splits joined diseases', async () => {
  const root = await temporaryRoot();
  const cellCount = 40;
  const halves = (names: readonly string[]) => categorical(names, cellCount, (cell) => (cell < 30 ? 0 : 1));
  const manifest = await writeTestDataset(root, 'terms.h5ad', {
    cellCount,
    obs: new Map([
      ['cell_type', halves(['T cell', 'B cell'])],
      [
        'cell_type_ontology_term_id',
        categorical(['CL:0000084', 'CL:0000236'], cellCount, (cell) => Number(cell >= 25)),
      ],
      ['disease', halves(['asthma || eczema', 'asthma'])],
      ['disease_ontology_term_id', halves(['MONDO:0004979 || MONDO:0004980', 'MONDO:0004979'])],
      ['tissue_ontology_term_id', halves(['UBERON:0002048', 'UBERON:0002097'])],
    ]),
    genes: [{ name: 'CD3D', cells: Int32Array.of(0), values: Float32Array.of(1) }],
    embeddings: [circle(cellCount)],
    catalogue: { name: 'Terms', disease: 'Asthma || Eczema', subdisease: 'Severe' },
    roles: { cellType: 'cell_type', embedding: 'X_umap', metadata: { disease: 'disease' } },
    organism: 'NCBITaxon:9606',
  });
  const objects = new FileObjectStore(root);
  const datasets = new OpenDatasets(objects, { datasets: 1, cacheBytes: 0 });
  const listed = await new Catalogue(objects, datasets).byDisease();
  expect(Object.keys(listed)).toEqual(['Asthma', 'Eczema']);
  const [dataset] = listed['Asthma']!['Severe']!;
  expect(listed['Eczema']!['Severe']).toEqual([dataset]);
  expect(dataset!.patient_metadata).toEqual({ disease: ['asthma', 'eczema'] });
  expect(dataset!.ontology_terms).toEqual([
    { id: 'CL:0000084', label: 'T cell', column: 'cell_type' },
    { id: 'CL:0000236', label: 'T cell', column: 'cell_type' },
    { id: 'MONDO:0004979', label: 'asthma', column: 'disease' },
    { id: 'MONDO:0004980', label: 'eczema', column: 'disease' },
    { id: 'UBERON:0002048', label: 'lung', column: 'tissue' },
    { id: 'UBERON:0002097', label: 'skin of body', column: 'tissue' },
    { id: 'NCBITaxon:9606', label: 'Homo sapiens', column: 'organism' },
  ]);
  const opened = vi.spyOn(datasets, 'get');
  const reader = new DatasetTermsReader(datasets);
  const { columns } = await reader.of(manifest);
  expect(await reader.of(manifest)).toEqual({ columns });
  expect(opened).toHaveBeenCalledTimes(1);
  expect(columns[0]!.terms).toEqual([
    {
      label: 'T cell',
      ids: [
        { id: 'CL:0000084', cells: 25 },
        { id: 'CL:0000236', cells: 5 },
      ],
    },
    { label: 'B cell', ids: [{ id: 'CL:0000236', cells: 10 }] },
  ]);
});
