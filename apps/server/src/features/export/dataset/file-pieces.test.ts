import { expect, test } from 'vitest';
import { bytesFrom, type FilePiece, placed, type PlannedFile } from './file-pieces.ts';

const megabyte = 1 << 20;
const piece = (offset: number, length: number): FilePiece => ({
  offset,
  length,
  memory: length,
  make: () => new Uint8Array(length).fill(1 + (offset % 250)),
});
const makeAll = async (batch: readonly FilePiece[]) =>
  Promise.all(batch.map(({ make }) => make({ signal: new AbortController().signal, users: () => [] })));

async function read(file: PlannedFile, from: number): Promise<number[]> {
  const all: number[] = [];
  for await (const bytes of bytesFrom(file, from, makeAll)) all.push(...bytes);
  return all;
}

test('a file from any byte on is the rest of it, zeros between its pieces included', async () => {
  const file = { bytes: 20, pieces: [piece(0, 5), piece(8, 4), piece(12, 1)] };
  const whole = await read(file, 0);
  expect(whole).toEqual([...Array(5).fill(1), 0, 0, 0, ...Array(4).fill(9), 13, ...Array(7).fill(0)]);
  for (let from = 0; from <= 20; from++) expect(await read(file, from)).toEqual(whole.slice(from));
});

test('short pieces are made together, and no more than the next ones before they are taken', async () => {
  const sizes: number[] = [];
  const file = {
    bytes: 64 * megabyte,
    pieces: Array.from({ length: 64 }, (_, at) => piece(at * megabyte, megabyte)),
  };
  const stream = bytesFrom(file, 0, (batch) => {
    sizes.push(batch.length);
    return makeAll(batch);
  });
  await stream.next();
  expect(sizes).toEqual([8, 8]);
  await stream.return(undefined);
  expect(sizes).toEqual([8, 8]);
});

test('a piece of another length than planned ends the file, as does one that cannot be made', async () => {
  const wrong = { ...piece(0, 4), make: () => new Uint8Array(3) };
  await expect(read({ bytes: 4, pieces: [wrong] }, 0)).rejects.toThrow('3 bytes instead of 4 at 0');
  const broken = { ...piece(0, 9 * megabyte), make: () => Promise.reject(new Error('the disk is gone')) };
  const file = {
    bytes: 18 * megabyte,
    pieces: [piece(0, 9 * megabyte), { ...broken, offset: 9 * megabyte }],
  };
  await expect(read(file, 9 * megabyte - 5)).rejects.toThrow('the disk is gone');
});

test('pieces that do not fill their part are refused before anything is sent', () => {
  const make = () => new Uint8Array(3);
  expect(
    placed({ offset: 8, length: 6 }, [
      { length: 3, make },
      { length: 3, make },
    ]),
  ).toMatchObject([{ offset: 8 }, { offset: 11 }]);
  expect(() => placed({ offset: 8, length: 7 }, [{ length: 3, make }])).toThrow(RangeError);
});
