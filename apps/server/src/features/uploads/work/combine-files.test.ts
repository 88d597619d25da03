import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Column, isCategorical } from '@cellfolio/model';
import { FileObjectStore, openDataset } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runWork } from './index.ts';
import type { CombineWork } from './work.ts';
import { buildOf, datasetId, listening, simulatedCounts, writeSmallFile } from './work.test-data.ts';

// Processing starts a thread with a library of its own each time: much for a machine that is busy.
vi.setConfig({ testTimeout: 120_000 });

const CELLS = 90;
let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cellfolio-combine-'));
  const proteins = { names: ['CD3', 'HLA-DR/DP'], values: proteinCounts() };
  await writeSmallFile(place('one.h5ad'), { rows: simulatedCounts(CELLS), proteins });
  await writeSmallFile(place('two.h5ad'), { rows: simulatedCounts(CELLS - 20) });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const place = (name: string) => join(folder, name);

async function* proteinCounts(): AsyncGenerator<Column> {
  for (const factor of [3, 7]) {
    const values = Float32Array.from({ length: CELLS }, (_, cell) => (cell * factor) % 17);
    yield { kind: 'numeric', dtype: 'float32', values };
  }
}

function combining(files: readonly string[], output: string): CombineWork {
  return {
    kind: 'combine',
    samples: files.map((name, at) => ({
      file: { path: place(name), name: `My ${name}` },
      sample: `S${at + 1}`,
      values: { condition: at === 0 ? 'well' : 'ill' },
    })),
    genes: 'shared',
    output: place(output),
  };
}

test('files become one, which is inspected and built as samples with what was chosen for them', async () => {
  const listener = listening(folder);
  const { record, notes } = await runWork(combining(['one.h5ad', 'two.h5ad'], 'both.h5ad'), listener.context);
  expect(record.files).toMatchObject([
    { sample: 'S1', file: 'My one.h5ad', cells: CELLS },
    { sample: 'S2', file: 'My two.h5ad', cells: CELLS - 20 },
  ]);
  // One of the files holds the first cells of the other.
  expect(notes[0]).toBe(
    'S1 and S2 have 70 of 70 cells with the same counts of every gene: the same file twice? Tests between samples would count these cells twice.',
  );
  expect(notes[1]).toMatch(/^S1: 90 cells, .* genes, 2 proteins\.$/);
  expect(notes).toContain(
    '2 proteins were matched by name; 0 of them are in all samples. Cells of a sample without a protein have a missing value of it.',
  );
  expect(listener.stages).toContain('Combining the samples');

  const file = { path: place('both.h5ad'), name: 'both.h5ad' };
  const report = await runWork(
    { kind: 'inspect', file, combined: record, memoryBytes: 2 ** 30 },
    listening(folder).context,
  );
  if (report.kind !== 'h5ad') throw new Error(report.kind);
  expect(report.willCompute).toEqual(['qualityControl', 'clusters', 'embedding']);
  expect(report.quality!.groups.map(({ sample, cells }) => [sample, cells])).toEqual([
    ['S1', CELLS],
    ['S2', CELLS - 20],
  ]);
  // Found by itself, so that the page takes the numbers for those of its settings.
  expect(report.quality!.choice).toEqual({});

  const choices = { doublets: 'mark' as const, resolutions: [0.3] };
  const { processed } = await runWork(
    {
      ...buildOf(file, folder, { processing: { samples: choices, components: 10, neighbours: 10 } }),
      combined: record,
    },
    listening(folder).context,
  );
  expect(processed!.samples).toMatchObject({
    files: record.files,
    doublets: { action: 'marked', groups: [{ sample: 'S1' }, { sample: 'S2' }] },
    batchColumn: 'sample',
    integration: { method: 'harmony' },
    clusterings: [{ resolution: 0.3 }],
  });
  const dataset = await openDataset(new FileObjectStore(folder), datasetId);
  const before = await dataset.embedding('X_umap_unintegrated');
  const after = await dataset.embedding('X_umap');
  expect(before.values.length).toBe(after.values.length);
  expect(before.values).not.toEqual(after.values);
  const condition = await dataset.obs('condition');
  expect(isCategorical(condition) && condition.categories).toEqual(['well', 'ill']);
  expect(dataset.proteins).toMatchObject({ scale: 'clr', columns: [{ name: 'CD3' }, { name: 'HLA-DR/DP' }] });
  const [cd3, sample] = [await dataset.obs('CD3 (protein)'), await dataset.obs('sample')];
  if (cd3.kind !== 'numeric' || !isCategorical(sample)) throw new Error(cd3.kind);
  expect(Array.from(cd3.values, Number.isNaN)).toEqual(
    Array.from(sample.codes, (code) => sample.categories[code] === 'S2'),
  );
});

test('a file that is no dataset is named in the refusal, and nothing is left', async () => {
  writeFileSync(place('picture.h5ad'), Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
  const work = combining(['one.h5ad', 'picture.h5ad'], 'none.h5ad');
  await expect(runWork(work, listening(folder).context)).rejects.toMatchObject({
    name: 'WorkFailed',
    code: 'foreign_content',
    message: expect.stringMatching(/^My picture\.h5ad is a PNG picture/),
  });
  expect(existsSync(place('none.h5ad'))).toBe(false);
});
