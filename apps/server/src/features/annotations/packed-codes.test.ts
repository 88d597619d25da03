import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { codesFor } from './labels.ts';
import { packedCodes, unpackedCodes } from './packed-codes.ts';

const groupsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ name: `${i}`, colour: '#000000' }));

test.each([
  [3, 0],
  [3, 1],
  [127, 100_000],
  [1000, 3_000_000],
])('codes of %d groups in %d cells come back equal', async (groups, cells) => {
  const codes = codesFor(groups, cells);
  for (let cell = 0; cell < cells; cell++) codes[cell] = ((cell * 7919) % (groups + 1)) - 1;
  const packed = await packedCodes(codes);
  expect(await unpackedCodes({ groups: groupsOf(groups), codes: packed })).toEqual(codes);
});

test('codes that were packed with gzip are read', async () => {
  const codes = Int8Array.of(0, -1, 2, 1);
  const packed = gzipSync(new Uint8Array(codes.buffer));
  expect([...(await unpackedCodes({ groups: groupsOf(3), codes: packed }))]).toEqual([0, -1, 2, 1]);
});
