import { rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FileObjectStore } from '@cellfolio/bytes';
import { listDatasets } from './list-datasets.ts';
import { writeSample } from './testing/sample-dataset.ts';
import { temporaryRoot } from '@cellfolio/bytes/testing';

class CountedStore extends FileObjectStore {
  reads = 0;
  lists = 0;

  override async get(...args: Parameters<FileObjectStore['get']>) {
    this.reads += 1;
    return super.get(...args);
  }

  override list(prefix: string) {
    this.lists += 1;
    return super.list(prefix);
  }

  override listFolders(folder: string) {
    this.lists += 1;
    return super.listFolders(folder);
  }

  takeCounts(): { reads: number; lists: number } {
    const { reads, lists } = this;
    this.reads = 0;
    this.lists = 0;
    return { reads, lists };
  }
}

const ids = async (objects: FileObjectStore) => (await listDatasets(objects)).datasets.map(({ id }) => id);

test('a second listing reads no manifest, and one after a change only what is new', async () => {
  const root = await temporaryRoot();
  await writeSample(root, 'a.h5ad');
  await writeSample(root, 'b.h5ad');
  const objects = new CountedStore(root);
  expect(await ids(objects)).toEqual(['a.h5ad', 'b.h5ad']);
  // The folder of the catalogue, and the files of each dataset.
  expect(objects.takeCounts()).toEqual({ reads: 2, lists: 3 });
  expect(await ids(objects)).toEqual(['a.h5ad', 'b.h5ad']);
  expect(objects.takeCounts()).toEqual({ reads: 0, lists: 1 });
  await writeSample(root, 'c.h5ad');
  await writeSample(root, 'a.h5ad', { replace: true, label: 'new' });
  const { datasets } = await listDatasets(objects);
  expect(datasets.map(({ catalogue }) => catalogue.name)).toEqual(['new', 'Sample', 'Sample']);
  expect(objects.takeCounts()).toEqual({ reads: 2, lists: 3 });
});

test('a collection that has not changed for some seconds is not even listed', async () => {
  const root = await temporaryRoot();
  await writeSample(root, 'a.h5ad');
  class SettledStore extends CountedStore {
    tag = 'one';
    override async folderTag() {
      return this.tag;
    }
  }
  const objects = new SettledStore(root);
  await listDatasets(objects);
  objects.takeCounts();
  expect(await ids(objects)).toEqual(['a.h5ad']);
  expect(objects.takeCounts()).toEqual({ reads: 0, lists: 0 });
  await writeSample(root, 'b.h5ad');
  objects.tag = 'two';
  expect(await ids(objects)).toEqual(['a.h5ad', 'b.h5ad']);
});

test('a folder that changed a moment ago has no tag, as it may change again unseen', async () => {
  const root = await temporaryRoot();
  await writeSample(root, 'a.h5ad');
  const objects = new FileObjectStore(root);
  expect(await objects.folderTag('datasets/')).toBeUndefined();
  expect(await objects.folderTag('nowhere/')).toBeUndefined();
  // Also where it says that it was long ago: what counts cannot be set.
  await utimes(join(root, 'datasets'), 1, 1);
  expect(await objects.folderTag('datasets/')).toBeUndefined();
});

test.each(['EACCES', 'EIO'])(
  'a dataset whose manifest fails with %s is damaged, and hides no other',
  async (code) => {
    const root = await temporaryRoot();
    await writeSample(root, 'a.h5ad');
    await writeSample(root, 'b.h5ad');
    class FailingStore extends FileObjectStore {
      override async get(...args: Parameters<FileObjectStore['get']>) {
        if (args[0] === 'datasets/a.h5ad/manifest.json') throw Object.assign(new Error(code), { code });
        return super.get(...args);
      }
    }
    const { datasets, damaged } = await listDatasets(new FailingStore(root));
    expect(datasets.map(({ id }) => id)).toEqual(['b.h5ad']);
    expect(damaged).toEqual([
      {
        id: 'a.h5ad',
        reason: expect.stringMatching(/^manifest\.json: it cannot be read: (permission|the disk)/),
      },
    ]);
  },
);

test('a dataset with a file missing is damaged each time it is listed, until the file is back', async () => {
  const root = await temporaryRoot();
  await writeSample(root, 'a.h5ad');
  await rm(join(root, 'datasets', 'a.h5ad', 'obs', 'zarr.json'));
  const objects = new CountedStore(root);
  const damaged = { id: 'a.h5ad', reason: 'obs/zarr.json: it is missing' };
  for (let time = 0; time < 2; time++) {
    expect(await listDatasets(objects)).toEqual({ datasets: [], damaged: [damaged] });
  }
  await objects.put('datasets/a.h5ad/obs/zarr.json', new Uint8Array(1));
  expect(await ids(objects)).toEqual(['a.h5ad']);
});
