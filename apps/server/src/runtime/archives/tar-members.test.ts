import { expect, test } from 'vitest';
import { LinkFailed } from './linked-datasets.ts';
import { tarMembers } from './tar-members.ts';
import { tarOf } from './tar.test-data.ts';

async function looked(archive: Uint8Array, bytes = archive.length) {
  const reads: number[] = [];
  const members = await tarMembers({
    shown: 'a.tar',
    bytes,
    read: async (offset, length) => {
      reads.push(length);
      return archive.subarray(offset, offset + length);
    },
  });
  return { ...members, reads };
}
const failure = async (archive: Uint8Array, bytes?: number) => {
  const error: unknown = await looked(archive, bytes).catch((one: unknown) => one);
  expect(error).toBeInstanceOf(LinkFailed);
  return (error as LinkFailed).message;
};
const text = (archive: Uint8Array, { offset, bytes }: { offset: number; bytes: number }) =>
  Buffer.from(archive.subarray(offset, offset + bytes)).toString();

test('members are found with where their bytes lie, and what is large is not read', async () => {
  const large = Buffer.alloc(3_000_000, 'x');
  const archive = await tarOf([
    [{ name: 'GSM1/', type: 'directory' }],
    ['GSM1/matrix.mtx.gz', large],
    ['GSM1/barcodes.tsv.gz', 'AAA\nAAC\n'],
    ['GSM1/._barcodes.tsv.gz', 'left by macOS'],
    ['GSM1/features.tsv.gz', 'CD3E\n'],
    ['GSM2_large.h5', large],
    [`${'folder/'.repeat(40)}${'n'.repeat(150)}.h5ad`, 'long name'],
    ['Größe_細胞.h5ad', 'pax'],
  ]);
  const { members, refused, reads } = await looked(archive);
  expect(refused).toEqual([]);
  expect(members.map(({ name }) => name)).toEqual([
    'GSM1/matrix.mtx.gz',
    'GSM1/barcodes.tsv.gz',
    'GSM1/features.tsv.gz',
    'GSM2_large.h5',
    `${'folder/'.repeat(40)}${'n'.repeat(150)}.h5ad`,
    'Größe_細胞.h5ad',
  ]);
  expect(members.slice(1, 3).map((member) => text(archive, member))).toEqual(['AAA\nAAC\n', 'CD3E\n']);
  expect(members.slice(4).map((member) => text(archive, member))).toEqual(['long name', 'pax']);
  expect(reads.length).toBeLessThanOrEqual(4);
  expect(reads.reduce((sum, one) => sum + one)).toBeLessThan(4 * 65_536 + 1);
});

test.each([
  [{ name: '../../etc/passwd' }, 'leads out of the archive'],
  [{ name: 'a/../../b.h5ad' }, 'leads out of the archive'],
  [{ name: '/etc/cells.h5ad' }, 'leads out of the archive'],
  [{ name: 'C:cells.h5ad' }, 'leads out of the archive'],
  [{ name: '..\\cells.h5ad' }, 'no usable name'],
  [{ name: 'a\nb.h5ad' }, 'no usable name'],
  [{ name: 'cells.h5ad', type: 'symlink', linkname: '/etc/passwd' }, 'a link'],
  [{ name: 'cells.h5ad', type: 'link', linkname: 'good.h5ad' }, 'a link'],
  [{ name: 'cells.h5ad', type: 'fifo' }, 'a device'],
  [{ name: 'cells.h5ad', type: 'block-device' }, 'a device'],
  [{ name: 'good.h5ad' }, 'two files have this name'],
  [{ name: 'cells.h5ad', pax: { 'GNU.sparse.realsize': '100' } }, 'stored as a sparse file'],
] as const)('%j is refused by its name, and the others are taken', async (header, reason) => {
  const isFile = !('type' in header);
  const archive = await tarOf([
    ['good.h5ad', 'one'],
    [header, isFile ? 'two' : ''],
    ['also.h5ad', 'three'],
  ]);
  const { members, refused } = await looked(archive);
  expect(members.map(({ name }) => name)).toEqual(['good.h5ad', 'also.h5ad']);
  expect(refused).toEqual([expect.stringContaining(reason)]);
  expect(refused[0]).toContain(header.name);
});

test('an old sparse file and an empty one are refused by name', async () => {
  const archive = await tarOf([
    ['sparse.h5ad', 'one'],
    ['empty.h5ad', ''],
    ['good.h5ad', 'two'],
  ]);
  // Type S of GNU tar; the checksum counts the bytes of the header.
  archive[156] = 83;
  const sum = archive
    .subarray(0, 512)
    .reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 32 : byte), 0);
  archive.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  const { members, refused } = await looked(archive);
  expect(members.map(({ name }) => name)).toEqual(['good.h5ad']);
  expect(refused).toEqual([
    'sparse.h5ad (stored as a sparse file or in another unsupported form)',
    'empty.h5ad (empty)',
  ]);
});

test('an archive that ends early, is damaged or is none is refused', async () => {
  const archive = await tarOf([
    ['a.h5ad', 'one'],
    ['b.h5ad', Buffer.alloc(100_000, 'x')],
    ['c.h5ad', 'three'],
  ]);
  expect(await failure(archive.subarray(0, 90_000))).toMatch(/ends within "b\.h5ad"/);
  const damaged = Buffer.from(archive);
  damaged.fill(1, 101_888, 102_400);
  expect(await failure(damaged)).toMatch(/is damaged behind "b\.h5ad", at byte \d+/);
  expect(await failure(Buffer.alloc(2048, 'x'))).toBe('a.tar is not a .tar archive.');
  expect(await failure(Buffer.alloc(2048))).toBe('a.tar is not a .tar archive.');
  // A size that no file has.
  const vast = await tarOf([[{ name: 'a.h5ad', pax: { size: '9000000000000000' } }, 'one']]);
  expect(await failure(vast)).toMatch(/ends within "a\.h5ad"/);
});

test('more members than any archive of samples has are refused', async () => {
  const one = (await tarOf([['a.h5ad', '']])).subarray(0, 512);
  const archive = Buffer.alloc(512 * 10_002);
  for (let at = 0; at < 10_002; at++) archive.set(one, 512 * at);
  expect(await failure(archive)).toMatch(/more than 10,000 members/);
});

test('of a thousand damaged archives none does more harm than a refusal', async () => {
  const archive = await tarOf([
    ['a.h5ad', 'one'],
    [`${'n'.repeat(150)}.h5ad`, 'two'],
    ['Größe.h5ad', 'three'],
  ]);
  let seed = 1;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 1000; round++) {
    const damaged = Buffer.from(archive);
    for (let n = random(4); n >= 0; n--) damaged[random(damaged.length)] = random(256);
    const fits = await looked(damaged).then(
      ({ members }) => members.every(({ offset, bytes }) => offset + bytes <= damaged.length),
      (error: unknown) => error instanceof LinkFailed,
    );
    expect(fits, `round ${round}`).toBe(true);
  }
});
