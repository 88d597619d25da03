import { expect, test } from 'vitest';
import { tryCorruptFiles } from './corrupt-files.ts';

test('files corrupt in bytes or in structure end in success or a clear error', async () => {
  const report = await tryCorruptFiles(0, 60, { seconds: 30, memory: 2 ** 30 });
  expect(report.failures).toEqual([]);
  const endings = [...report.endings].flatMap(([ending, count]) => new Array<string>(count).fill(ending));
  expect(endings).toHaveLength(60);
  // Were all of them refused, or none, the files would not be what they are meant to be.
  for (const kind of ['bytes', 'structure', 'text']) {
    const ofKind = endings.filter((ending) => ending.startsWith(kind));
    expect(ofKind, kind).toHaveLength(20);
    expect(ofKind.filter((ending) => ending.includes('refused')).length, kind).toBeGreaterThan(5);
  }
  expect(endings.filter((ending) => ending.endsWith(' well')).length).toBeGreaterThan(3);
});
