import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCounts } from './open-counts.ts';

const fixtures = join(import.meta.dirname, '../../fixtures');
const expected = JSON.parse(readFileSync(join(fixtures, 'expected.json'), 'utf8')) as {
  files: Record<string, { counts: number[][] | null; genes: string[] }>;
};
const late = 'late-fraction';

async function counted(name: string): Promise<{ rows: number[][]; genes: readonly string[] } | undefined> {
  const counts = await openCounts(join(fixtures, `${name}.h5ad`));
  if (counts === undefined) return undefined;
  try {
    const rows = Array.from({ length: counts.cellCount }, () => new Array<number>(counts.geneCount).fill(0));
    let vector = 0;
    let tidy = true;
    for (const { pointers, indices, counts: values } of counts.blocks()) {
      for (let i = 0; i + 1 < pointers.length; i++, vector++) {
        for (let at = pointers[i]!; at < pointers[i + 1]!; at++) {
          tidy &&= values[at] !== 0 && (at === pointers[i]! || indices[at]! > indices[at - 1]!);
          const [cell, gene] = counts.by === 'cell' ? [vector, indices[at]!] : [indices[at]!, vector];
          rows[cell]![gene] = values[at]!;
        }
      }
    }
    expect(tidy).toBe(true);
    return { rows, genes: counts.geneNames };
  } finally {
    counts.close();
  }
}

const names = Object.keys(expected.files).filter((name) => name !== late);
test.each(names)('the raw counts of %s are those that Python reads, or there are none', async (name) => {
  const { counts } = expected.files[name]!;
  const actual = await counted(name);
  expect(actual?.rows ?? null).toEqual(counts);
});

test('repeated entries are added up and brought into order', async () => {
  expect(names).toContain('messy-csc-counts');
  expect((await counted('messy-csc-counts'))?.rows).toEqual(expected.files['messy-csc-counts']!.counts);
});

test('a file that is no HDF5 is refused by name', async () => {
  await expect(openCounts(join(fixtures, 'not-hdf5.h5ad'))).rejects.toMatchObject({ code: 'not-hdf5' });
});
