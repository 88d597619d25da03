import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { H5adError } from '../h5ad-error.ts';
import { inspectH5ad } from '../import-h5ad.ts';
import { TextFileError } from '../matrix-market/read-text.ts';
import { zipFile, type ZipEntry } from '../testing/zip-file.ts';
import { readableFile } from './readable-file.ts';
import { zarrZip } from './zarr/zarr-zip.ts';

const fixtures = join(import.meta.dirname, 'fixtures');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cellfolio-hostile-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function makeReadable(name: string, content: string | Uint8Array) {
  const path = join(folder, `${files++}-${name}`);
  writeFileSync(path, content);
  return readableFile({ path, name }, join(folder, `made-${files}.h5ad`));
}

const table = 'gene,A,B\nACTB,1,2\nGAPDH,3,4\n';

test.each<[string, string | Uint8Array, object]>([
  ['a single line', 'gene,A,B\n', { code: 'malformed', problem: expect.stringContaining('a single line') }],
  [
    'no separators',
    'gene\nACTB\n',
    { code: 'malformed', line: 2, problem: expect.stringContaining('one field') },
  ],
  ['titles for other columns', 'gene,A\nACTB,1,2,3\n', { code: 'malformed', line: 1 }],
  ['values for titles', '0.5,1.5,0.25\nACTB,1,2\n', { code: 'malformed', line: 1 }],
  ['no values', 'gene,A,B\nACTB,x,y\n', { code: 'malformed', line: 2 }],
  ['a short line', `${table}CD3E,1\n`, { code: 'malformed', line: 4 }],
  ['a column without title', 'gene,,B\nACTB,1,2\n', { code: 'malformed', line: 1 }],
  ['a row without name', `${table},1,2\n`, { code: 'malformed', line: 4 }],
  ['a name without end', `gene,A\nACTB,1\n${'x'.repeat(5000)},1\n`, { code: 'too-long', line: 3 }],
  ['bytes', `${table}CD3E,\0,1\n`, { code: 'binary', line: 4 }],
  ['a cut gzip', gzipSync(table).subarray(0, 24), { code: 'truncated' }],
  [
    'text among later values',
    `gene,A,B\n${'ACTB,1,2\n'.repeat(40)}GAPDH,1,many\n`,
    { code: 'malformed', line: 42, problem: expect.stringMatching(/many.*column 3.*B/) },
  ],
  [
    'one field among values that is none',
    'gene,A,B\nACTB,1,2\nGAPDH,#REF!,3\nCD3E,4,5\n',
    { code: 'malformed', line: 3, problem: expect.stringMatching(/#REF!.*column 2.*A.*take the column out/) },
  ],
  [
    'separators of thousands',
    'gene,A,B\nACTB,1,2\nGAPDH,7,"1,234"\n',
    { code: 'malformed', line: 3, problem: expect.stringContaining('without separators of thousands') },
  ],
  [
    'decimal commas',
    'gene;A;B\nACTB;1,5;0,0\nGAPDH;0,0;2,25\n',
    { code: 'malformed', line: 2, problem: expect.stringContaining('5.03, not 5,03') },
  ],
])('a table with %s is refused by its line', async (_, content, error) => {
  await expect(makeReadable('counts.csv', content)).rejects.toMatchObject({
    name: 'TextFileError',
    ...error,
  });
});

test.each([
  ['two fields', 'gene\tcell\tcount\nACTB\tA\n', 'line 2: does not hold three fields'],
  ['a count that is none', 'gene,cell,count\nACTB,A,1\nACTB,B,many\n', 'line 3: holds "many" in column 3'],
  ['a line without a cell', 'gene,cell,count\nACTB,,1\n', 'line 2: holds no name in column 2'],
  [
    'two counts of a gene in a cell',
    'gene,cell,count\nACTB,A,1\nACTB,A,2\n',
    'gives two counts for feature 1 of cell 1',
  ],
  ['titles alone', 'gene,cell,count\n', 'holds no counts'],
])('a table with a count in each line and %s is refused by its line', async (_, content, message) => {
  await expect(makeReadable('long.csv', content)).rejects.toThrow(message);
});

function packed<T extends string | Buffer>(pieces: readonly T[]): Buffer {
  const members = new Map(Array.from(new Set(pieces), (piece) => [piece, gzipSync(piece)] as const));
  return Buffer.concat(pieces.map((piece) => members.get(piece)!));
}

test('a packed table that unpacks without end is refused before it is read to its end', async () => {
  // To a thousandth of its size, as no table of values does.
  const line = `ACTB${',0'.repeat(1000)}\n`;
  const content = [`gene${',A'.repeat(1000)}\n`, ...new Array<string>(80).fill(line.repeat(500))];
  await expect(makeReadable('counts.csv.gz', packed(content))).rejects.toMatchObject({ code: 'bomb' });
});

test('HDF5 packed with gzip is refused where it is cut, or unpacks without end', async () => {
  const sound = readFileSync(join(fixtures, 'cells.h5ad.gz'));
  await expect(makeReadable('cells.h5ad.gz', sound.subarray(0, -100))).rejects.toMatchObject({
    code: 'truncated',
  });
  const start = Buffer.from('\u0089HDF\r\n\u001a\n', 'latin1');
  const endless = packed([start, ...new Array<Buffer>(128).fill(Buffer.alloc(2 ** 20))]);
  await expect(makeReadable('cells.h5ad.gz', endless)).rejects.toMatchObject({ code: 'bomb' });
});

const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const group = (name: string): ZipEntry => ({
  name: `${name}zarr.json`,
  bytes: json({ zarr_format: 3, node_type: 'group', attributes: {} }),
});
const array = (name: string, more: object): ZipEntry => ({
  name: `${name}/zarr.json`,
  bytes: json({
    zarr_format: 3,
    node_type: 'array',
    shape: [8, 8],
    data_type: 'float32',
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [8, 8] } },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
    codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
    fill_value: 0,
    attributes: {},
    ...more,
  }),
});
const sound = ['', 'obs/', 'var/'].map(group);
const codec = (name: string) => ({
  codecs: [
    { name: 'bytes', configuration: { endian: 'little' } },
    { name, configuration: {} },
  ],
});
const bloscOf = (size: number) => {
  const head = Buffer.alloc(16);
  head.writeUInt32LE(size, 4);
  return head;
};

test.each<[string, Uint8Array, object]>([
  ['is cut short', zipFile(sound).subarray(0, -30), { code: 'truncated' }],
  [
    'has attributes without end',
    zipFile([...sound, { ...array('X', { attributes: { a: 'x'.repeat(2 ** 26) } }), deflate: true }]),
    { code: 'too-large', part: 'X' },
  ],
  ['holds no Zarr', zipFile([{ name: 'cells.h5ad', bytes: json(1) }]), { code: 'not-hdf5' }],
  ['holds Zarr of another kind', zipFile([group('')]), { code: 'not-anndata' }],
  ['is encrypted', zipFile([{ ...group(''), flags: 1 }]), { code: 'unreadable' }],
  [
    'is packed by another method',
    zipFile([{ ...group(''), method: 12 }]),
    { code: 'unreadable', part: 'zarr.json' },
  ],
  [
    'holds damaged metadata',
    zipFile([...sound, { name: 'X/zarr.json', bytes: Buffer.from('{') }]),
    { part: 'X' },
  ],
  [
    'says a smaller size than it has',
    zipFile([...sound, { ...array('X', {}), deflate: true, size: 10 }]),
    { code: 'unreadable', part: 'X/zarr.json' },
  ],
  [
    'declares more values than it can hold',
    zipFile([...sound, array('X', { shape: [1e6, 1e6] })]),
    { code: 'too-large', part: 'X' },
  ],
  [
    'declares chunks of gigabytes',
    zipFile([
      ...sound,
      array('X', { chunk_grid: { name: 'regular', configuration: { chunk_shape: [1e5, 1e5] } } }),
    ]),
    { code: 'too-large', part: 'X' },
  ],
  [
    'declares a shape of no numbers',
    zipFile([...sound, array('X', { shape: [-1, 2.5] })]),
    { code: 'unreadable', part: 'X' },
  ],
  [
    'is packed by an unknown codec',
    zipFile([...sound, array('X', codec('mystery')), { name: 'X/c/0/0', bytes: bloscOf(1) }]),
    { code: 'unreadable', part: 'X, chunk 0.0', problem: expect.stringContaining('mystery') },
  ],
  [
    'has a chunk that says it unpacks to gigabytes',
    zipFile([...sound, array('X', codec('blosc')), { name: 'X/c/0/0', bytes: bloscOf(2 ** 31) }]),
    { code: 'unreadable', part: 'X, chunk 0.0' },
  ],
  [
    'has a chunk that unpacks to more than its array holds',
    zipFile([
      ...sound,
      array('X', codec('gzip')),
      { name: 'X/c/0/0', bytes: gzipSync(Buffer.alloc(2 ** 24)) },
    ]),
    { code: 'unreadable', part: 'X, chunk 0.0' },
  ],
  [
    'has a chunk that is too short',
    zipFile([...sound, array('X', {}), { name: 'X/c/0/0', bytes: Buffer.alloc(12) }]),
    { code: 'unreadable', part: 'X, chunk 0.0' },
  ],
])('a zip file that %s is refused by the part', async (_, content, error) => {
  await expect(makeReadable('cells.zarr.zip', content)).rejects.toMatchObject({
    name: 'H5adError',
    ...error,
  });
});

test('damaged files of every format are read, or refused with an error that names the part', async () => {
  const names = readdirSync(fixtures).filter((name) => name !== 'expected.json');
  let seed = 11;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff;
    return (seed >>> 8) % below;
  };
  const strange: unknown[] = [];
  for (const name of Array.from({ length: 8 }, () => names).flat()) {
    const bytes = readFileSync(join(fixtures, name));
    const at = random(bytes.length);
    if (random(3) > 0) bytes.fill(random(256), at, at + 1 + random(8));
    const path = join(folder, `damaged-${name}`);
    writeFileSync(path, random(3) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes);
    const output = join(folder, 'damaged.h5ad');
    try {
      await inspectH5ad((await readableFile({ path, name }, output)).path);
    } catch (error) {
      if (!(error instanceof H5adError || error instanceof TextFileError)) strange.push([name, error]);
    }
    rmSync(output, { force: true });
  }
  expect(strange).toEqual([]);
});

test('nothing is left of what was refused', () => {
  expect(readdirSync(folder).filter((name) => name.startsWith('made-'))).toEqual([]);
});

test('a folder of Zarr is read as its zip file is', async () => {
  const zip = await zarrZip(join(fixtures, 'v3-dense.zarr.zip'), join(folder, 'v3-dense'));
  const path = join(folder, 'cells.zarr');
  const unpack = async (key: string): Promise<void> => {
    for (const name of await zip.names(key)) {
      const inside = key === '' ? name : `${key}/${name}`;
      const bytes = await zip.get(inside);
      await mkdir(join(path, key), { recursive: true });
      if (bytes === undefined) await unpack(inside);
      else await writeFile(join(path, inside), bytes);
    }
  };
  await unpack('');
  await zip.close();
  const output = join(folder, 'from-folder.h5ad');
  expect(await readableFile({ path, name: 'cells.zarr' }, output)).toMatchObject({
    madeFrom: 'AnnData-Zarr',
  });
  const zipped = join(folder, 'from-zip.h5ad');
  const packed = join(fixtures, 'v3-dense.zarr.zip');
  await readableFile({ path: packed, name: 'cells.zarr.zip' }, zipped);
  const [one, other] = await Promise.all([output, zipped].map((file) => inspectH5ad(file)));
  expect({ ...one, file: undefined }).toEqual({ ...other, file: undefined });
});
