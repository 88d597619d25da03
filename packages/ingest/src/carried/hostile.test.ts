import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryRoot } from '@cellfolio/bytes/testing';
import { FileObjectStore, openDataset } from '@cellfolio/store';
import { File, type Group, ready } from 'h5wasm/node';
import { expect, test } from 'vitest';
import { importH5ad } from '../import-h5ad.ts';
import { fixtureCatalogue } from '../testing/hdf5-fixtures.ts';
import { layOutFile } from '../write-h5ad/lay-out-file.ts';
import type { CarriedContent } from './carried-content.ts';
import { placeCarried } from './place-carried.ts';

const fixture = join(import.meta.dirname, '../../fixtures/csr-log.h5ad');
const catalogue = fixtureCatalogue('Hostile');

/** Imports a file with such a `uns`, and lays out all that it carries as an export does. */
async function imported(write: (uns: Group, file: File) => void, maxCarried?: number) {
  await ready;
  const root = await temporaryRoot();
  const path = join(root, 'file.h5ad');
  await copyFile(fixture, path);
  const file = new File(path, 'a');
  if (!file.keys().includes('uns')) file.create_group('uns');
  write(file.get('uns') as Group, file);
  file.close();
  const { report } = await importH5ad({
    path,
    root,
    id: 'x.h5ad',
    catalogue,
    ...(maxCarried && { maxCarried }),
  });
  const dataset = await openDataset(new FileObjectStore(root), 'x.h5ad');
  const content = (await dataset.carried!.description()) as CarriedContent;
  const read = async (from: number, to: number) =>
    from === to ? new Uint8Array(0) : dataset.carried!.bytes({ from, to });
  const none = new Set<string>();
  const { elements } = await placeCarried(
    content,
    { cells: undefined, taken: none, superseded: none, colours: none },
    read,
  );
  const laidOut = {
    kind: 'group' as const,
    attributes: {},
    members: new Map(elements.map(({ path: at, node }) => [at.replaceAll('/', ':'), node])),
  };
  expect(layOutFile(laidOut).bytes).toBeGreaterThan(0);
  return { notKept: report.notKept.join('; '), paths: content.elements.map(({ path: at }) => at), content };
}

test('names that mean something to folders or to objects of JavaScript are names like any other', async () => {
  const names = ['..', '__proto__', 'constructor', 'a\\b', 'ü', ' ', 'x'.repeat(5000)];
  const { paths } = await imported((uns) => {
    for (const name of names) uns.create_dataset({ name, data: Float64Array.of(1, 2) });
  });
  for (const name of names) expect(paths).toContain(`uns/${name}`);
});

test('groups within groups are kept to a depth, and beyond it left out with the reason', async () => {
  const { paths, notKept } = await imported((uns) => {
    for (const [name, depth] of [['shallow', 8] as const, ['deep', 30] as const]) {
      let group = uns.create_group(name);
      for (let at = 0; at < depth; at++) group = group.create_group('in');
    }
  });
  expect(paths).toContain('uns/shallow');
  expect(paths).not.toContain('uns/deep');
  expect(notKept).toContain('uns/deep (it lies deeper than 12 groups)');
});

test('links to other files, to nothing and round in circles are left out with the reason', async () => {
  const { paths, notKept } = await imported((uns) => {
    uns.create_external_link('/etc/passwd', '/x', 'elsewhere');
    uns.create_soft_link('/nowhere', 'dangling');
    uns.create_group('good');
    const ring = uns.create_group('ring');
    ring.create_soft_link('/uns/ring', 'a');
    ring.create_soft_link('/uns/ring', 'b');
    ring.create_soft_link('/', 'c');
  });
  expect(paths).toContain('uns/good');
  for (const name of ['elsewhere', 'dangling', 'ring']) {
    expect(paths).not.toContain(`uns/${name}`);
    expect(notKept).toContain(`uns/${name} (`);
  }
});

test('of too many of elements some are kept, and the others are counted', { timeout: 240_000 }, async () => {
  const { paths, notKept, content } = await imported((uns) => {
    for (let at = 0; at < 22_000; at++) uns.create_group(`e${at}`);
  });
  expect(paths.length).toBeGreaterThan(10_000);
  expect(content.leftOut.length).toBeLessThan(1100);
  expect(notKept).toContain('the file has too many parts');
});

test('attributes of many bytes are left out beyond a limit, and others are kept', async () => {
  const { paths, notKept } = await imported((uns) => {
    for (let at = 0; at < 300; at++) uns.create_group(`e${at}`).create_attribute('long', 'x'.repeat(60_000));
    uns.create_group('short');
  });
  expect(paths).toEqual(expect.arrayContaining(['uns/e0', 'uns/short']));
  expect(paths.length).toBeLessThan(300);
  expect(notKept).toContain('the names and attributes of the file are too long');
});

test('values that unpack to more than the room for them are left out by their size, unread', async () => {
  const { paths, notKept } = await imported((uns) => {
    uns.create_dataset({
      name: 'zeros',
      data: new Float64Array(2 ** 21),
      shape: [2 ** 21],
      chunks: [2 ** 18],
      compression: 9,
    });
    uns.create_dataset({ name: 'small', data: Float64Array.of(1) });
  }, 2 ** 20);
  expect(paths).toContain('uns/small');
  expect(notKept).toContain('uns/zeros (16,777,216 bytes: it is larger than the room for it)');
});
