import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildDataset } from './build-dataset.ts';
import { inspectFile } from './inspect-file.ts';
import { buildOf, labels, listening, writeSmallFile } from './work.test-data.ts';

const name = 'every-element.h5ad.gz';
const file = {
  path: join(import.meta.dirname, '../../../../../../packages/ingest/fixtures/carried', name),
  name,
};
const scratch = () => mkdtempSync(join(tmpdir(), 'returned-parts-'));

async function notesOf(maxCarried?: number): Promise<string> {
  const work = { kind: 'inspect' as const, file, ...(maxCarried !== undefined && { maxCarried }) };
  const report = await inspectFile(work, listening(scratch()).context);
  return report.notes.join('\n');
}

test('an inspection lists what is returned on export, the largest first, with its bytes', async () => {
  const notes = await notesOf();
  expect(notes).toMatch(
    /^Kept as stored in the file and returned on export: .*obsp\/dense \(14,400 bytes\)/m,
  );
  expect(notes).not.toContain('Not taken over');
});

test('what the quota has no room for is named with its bytes, by the inspection and by the build', async () => {
  const left = 'obsp/dense (14,400 bytes: it is larger than the room for it)';
  expect(await notesOf(6000)).toContain(left);
  const work = buildOf(file, scratch(), { maxCarried: 6000, compute: 'nothing' });
  const { report } = await buildDataset(work, listening(scratch()).context);
  expect(report.notKept).toContain(left);
  expect(report.carried.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(6000);
});

test('an inspection says which columns have ontology ids', async () => {
  const path = join(scratch(), 'ids.h5ad');
  const rows = Array.from({ length: 30 }, (_, cell) => Int32Array.of(cell, 1, 2));
  const column = (text: string) => labels(rows.map((_, cell) => `${text}${cell % 2}`));
  await writeSmallFile(path, {
    rows,
    obs: new Map([
      ['cell_type', column('type ')],
      ['cell_type_ontology_term_id', column('CL:000008')],
    ]),
  });
  const work = { kind: 'inspect' as const, file: { path, name: 'ids.h5ad' } };
  const { notes } = await inspectFile(work, listening(scratch()).context);
  expect(notes).toContain('Ontology ids kept beside the labels: 2 ids of cell_type.');
});
