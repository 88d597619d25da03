import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { H5File } from '../write-h5ad/h5-file.ts';
import { readableFile } from './readable-file.ts';
import { ZarrCopy } from './zarr/copy-zarr.ts';
import { zarrZip } from './zarr/zarr-zip.ts';

const fixtures = join(import.meta.dirname, 'fixtures');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cellfolio-reads-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(['v2-dense', 'v3-csr'])('of the Zarr %s each chunk is read once', async (name) => {
  const files = await zarrZip(join(fixtures, `${name}.zarr.zip`), join(folder, name));
  const reads = new Map<string, number>();
  const get: typeof files.get = (key, range) => {
    reads.set(key, (reads.get(key) ?? 0) + 1);
    return files.get(key, range);
  };
  await H5File.write(join(folder, `${name}.h5ad`), (file) => new ZarrCopy({ ...files, get }, file, {}).run());
  await files.close();
  const keys = [...reads.keys()];
  const chunks = keys.filter((key) => /(^|\/)[\d.]+$/.test(key));
  expect(chunks.length).toBeGreaterThan(10);
  expect(chunks.filter((key) => reads.get(key) !== 1)).toEqual([]);
});

test.each(['none-stored', 'no-shard-stored', 'empty-shard'])(
  'of the Zarr %s, which declares a million chunks and more, one chunk is looked at for its fill value',
  async (name) => {
    const path = join(import.meta.dirname, `../../fixtures/cases/absent-chunks/${name}.zarr.zip`);
    const files = await zarrZip(path, join(folder, name));
    let looks = 0;
    const get: typeof files.get = (key, range) => {
      looks += key.startsWith('X/') && /\d$/.test(key) ? 1 : 0;
      return files.get(key, range);
    };
    await H5File.write(join(folder, `${name}.h5ad`), (file) =>
      new ZarrCopy({ ...files, get }, file, {}).run(),
    );
    await files.close();
    // A shard that is there is asked for its index twice: here, and by zarrita.
    expect(looks).toBe(name === 'empty-shard' ? 2 : 1);
  },
);

test.each(['genes-x-cells.csv', 'cells-x-genes.tsv.gz'])(
  '%s is read twice from front to back',
  async (name) => {
    const fractions: number[] = [];
    const path = join(fixtures, name);
    await readableFile({ path, name }, join(folder, `${name}.h5ad`), {
      onProgress: (fraction) => fractions.push(fraction),
    });
    // A file of one piece: at its end, once for each reading.
    expect(fractions).toEqual([0.5, 1]);
  },
);

test('what is cancelled stops, and leaves nothing', async () => {
  const signal = AbortSignal.abort(new Error('enough'));
  for (const name of ['genes-x-cells.csv', 'long.tsv.gz', 'v3-csr.zarr.zip', 'cells.h5ad.gz']) {
    const output = join(folder, `cancelled-${name}.h5ad`);
    await expect(readableFile({ path: join(fixtures, name), name }, output, { signal })).rejects.toThrow(
      'enough',
    );
  }
  expect(readdirSync(folder).filter((name) => name.startsWith('cancelled'))).toEqual([]);
});
