import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildDataset } from './build-dataset.ts';
import { inspectFile } from './inspect-file.ts';
import { buildOf, listening } from './work.test-data.ts';

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
