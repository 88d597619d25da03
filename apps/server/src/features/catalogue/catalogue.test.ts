import { setTimeout as pause } from 'node:timers/promises';
import { temporaryRoot } from '@cellfolio/bytes/testing';
import { FileObjectStore, type ObjectStore } from '@cellfolio/store';
import { expect, test } from 'vitest';
import { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { writeTinyDataset } from '../../testing/tiny-dataset.ts';
import { Catalogue } from './catalogue.ts';

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
