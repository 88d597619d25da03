import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
// @ts-expect-error Plain JavaScript, as the other checks.
import { roomFaults } from './room-order.mjs';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cellfolio-rooms-'));
  for (const room of ['low', 'high']) mkdirSync(join(folder, room));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const faults = (low: string, high = ''): string[] => {
  writeFileSync(join(folder, 'low/a.ts'), low);
  writeFileSync(join(folder, 'high/b.ts'), high);
  return roomFaults(folder, ['low', 'high']) as string[];
};

test('a room may import from those before it, and none from those after it, types included', () => {
  expect(faults(`import { b } from './b.ts';`, `import { a } from '../low/a.ts';`)).toEqual([]);
  for (const upward of [
    `import { b } from '../high/b.ts';`,
    `import type { B } from '../high/b.ts';`,
    `export {\n  b,\n} from '../high/b.ts';`,
    `const b = await import('../high/b.ts');`,
  ]) {
    expect(faults(upward)).toEqual(['low/a.ts: low may not import from high']);
  }
});

test('a folder that has no place in the row is told', () => {
  mkdirSync(join(folder, 'new'));
  writeFileSync(join(folder, 'new/c.ts'), '');
  expect(faults('')).toEqual(['new/c.ts: the room new has no place in scripts/room-order.mjs']);
});
