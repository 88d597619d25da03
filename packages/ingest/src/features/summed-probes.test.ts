import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCounts } from '../counts/open-counts.ts';
import { inspectH5ad } from '../import-h5ad.ts';

const folder = join(import.meta.dirname, '../../fixtures/cases/probes');
const cases = JSON.parse(readFileSync(join(folder, 'cases.json'), 'utf8')) as {
  input: string;
  right: { genes: number; counts: { sum: number; maximum: number; weighted: number } };
}[];

test.each(['all.h5', 'filtered.h5', 'deprecated.h5', 'scanpy-csr.h5ad', 'scanpy-den.h5ad'])(
  'the counts that are processed of %s are those of its genes',
  async (input) => {
    const { right } = cases.find((one) => one.input === input)!;
    const counts = (await openCounts(join(folder, input)))!;
    let [sum, maximum, weighted, cell] = [0, 0, 0, 0];
    for (const { pointers, indices, counts: values } of counts.blocks()) {
      for (let i = 0; i + 1 < pointers.length; i++, cell++) {
        for (let at = pointers[i]!; at < pointers[i + 1]!; at++) {
          expect(indices[at]).toBeLessThan(right.genes);
          sum += values[at]!;
          maximum = Math.max(maximum, values[at]!);
          weighted += values[at]! * (cell + 1);
        }
      }
    }
    counts.close();
    expect(counts.geneCount).toBe(right.genes);
    expect(counts.geneIds).toHaveLength(right.genes);
    expect({ sum, maximum, weighted }).toEqual(right.counts);
  },
);

test('the figures of what was summed and left out stand in the report', async () => {
  const { warnings, genes } = await inspectH5ad(join(folder, 'filtered.h5'));
  const { numbers } = warnings.find(({ code }) => code === 'probes-summed')!;
  expect(numbers!['genes']).toBe(genes);
  expect(Number(numbers!['probes']) + Number(numbers!['leftOut'])).toBe(60);
});
