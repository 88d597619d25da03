import { join } from 'node:path';
import { temporaryRoot } from '@cellfolio/bytes/testing';
import { File, ready } from 'h5wasm/node';
import { expect, test } from 'vitest';
import { Hdf5File } from '../../hdf5/hdf5-file.ts';
import { assetsOf, otherAssets } from './assets.ts';

const mebibyte = 2 ** 20;

async function fileOf(members: Readonly<Record<string, Uint8Array | Float32Array>>): Promise<Hdf5File> {
  await ready;
  const path = join(await temporaryRoot(), 'x.h5ad');
  const file = new File(path, 'w');
  file.create_group('uns');
  file.create_group('uns/cellfolio_assets');
  for (const [name, data] of Object.entries(members)) {
    const chunks = [Math.min(data.length, mebibyte)];
    file.create_dataset({
      name: `uns/cellfolio_assets/${name}`,
      data,
      shape: [data.length],
      chunks,
      compression: 9,
    });
  }
  file.close();
  return Hdf5File.open(path);
}

test('byte arrays are assets; other members are among the parts that are not imported', async () => {
  const file = await fileOf({ 'a.png': Uint8Array.of(1, 2, 3), numbers: Float32Array.of(1) });
  const [asset] = assetsOf(file);
  expect([asset!.name, asset!.size, await asset!.read()]).toEqual(['a.png', 3, Uint8Array.of(1, 2, 3)]);
  expect(otherAssets(file, assetsOf(file))).toEqual(['uns/cellfolio_assets/numbers']);
  file.close();
});

test('packed assets that would be far larger than their file are not taken', async () => {
  const zeros = new Uint8Array(40 * mebibyte);
  const file = await fileOf({ a: zeros, b: zeros, c: Uint8Array.of(7) });
  expect(file.size).toBeLessThan(mebibyte);
  expect(assetsOf(file).map(({ name }) => name)).toEqual(['a', 'c']);
  expect(otherAssets(file, assetsOf(file))).toEqual(['uns/cellfolio_assets/b']);
  file.close();
});
