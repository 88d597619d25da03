import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
// @ts-expect-error Plain JavaScript, as the other checks.
import { analysisFaults, featureFaults, roomFaults } from './room-order.mjs';

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

test('a room may import from earlier rooms but not from later ones, types included', () => {
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

test('a folder without a place in the order is a fault', () => {
  mkdirSync(join(folder, 'new'));
  writeFileSync(join(folder, 'new/c.ts'), '');
  expect(faults('')).toEqual(['new/c.ts: the room new has no place in scripts/room-order.mjs']);
});

function written(files: Record<string, string>): string {
  const source = mkdtempSync(join(folder, 'web-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(source, name)), { recursive: true });
    writeFileSync(join(source, name), text);
  }
  return source;
}
const featuresOf = (files: Record<string, string>): string[] => featureFaults(written(files)) as string[];

test('features and routes import another feature by its index', () => {
  const indexed = { 'features/genes/index.ts': `export { a } from './a.ts';`, 'features/genes/a.ts': '' };
  for (const from of ['../genes/index.ts', '@/features/genes/index.ts']) {
    expect(featuresOf({ ...indexed, 'features/plots/b.ts': `import { a } from '${from}';` })).toEqual([]);
  }
  for (const from of ['../genes/a.ts', '@/features/genes/a.ts']) {
    expect(featuresOf({ ...indexed, 'features/plots/b.tsx': `import type { A } from '${from}';` })).toEqual([
      'features/plots/b.tsx: import genes by its index',
    ]);
  }
  expect(featuresOf({ ...indexed, 'app/b.ts': `const a = import('../features/genes/a.ts');` })).toEqual([
    'app/b.ts: import genes by its index',
  ]);
});

test('only the app imports pages of features directly', () => {
  const indexed = { 'features/genes/index.ts': '', 'features/genes/genes-page.tsx': '' };
  const load = `const load = () => import('@/features/genes/genes-page.tsx');`;
  expect(featuresOf({ ...indexed, 'app/router.ts': load })).toEqual([]);
  expect(featuresOf({ ...indexed, 'features/plots/b.ts': load })).toEqual([
    'features/plots/b.ts: import genes by its index',
  ]);
  const text = `import { GenesPage } from '@/features/genes/genes-page.tsx';`;
  expect(featuresOf({ ...indexed, 'app/router.ts': text })).toEqual([
    'app/router.ts: import genes by its index',
  ]);
});

test('files of a feature without an index may be imported', () => {
  expect(featuresOf({ 'features/genes/a.ts': '', 'features/plots/b.ts': `import '../genes/a.ts';` })).toEqual(
    [],
  );
});

test('on the server boot imports routes of features, and the compute thread their tasks', () => {
  const server = {
    'boot/compute-thread.ts': `import { tasks } from '../features/genes/tasks.ts';`,
    'boot/app.ts': `import { calls } from '../features/genes/routes.ts';`,
    'features/genes/index.ts': '',
  };
  expect(featuresOf(server)).toEqual([]);
  expect(
    featuresOf({ ...server, 'features/plots/b.ts': `import { calls } from '../genes/routes.ts';` }),
  ).toEqual(['features/plots/b.ts: import genes by its index']);
});

test('only tests import fixtures of another feature', () => {
  const indexed = { 'features/genes/index.ts': '', 'features/genes/a.fixture.ts': '' };
  const text = `import { a } from '@/features/genes/a.fixture.ts';`;
  expect(featuresOf({ ...indexed, 'features/plots/b.test.ts': text })).toEqual([]);
  expect(featuresOf({ ...indexed, 'features/plots/b.ts': text })).toEqual([
    'features/plots/b.ts: import genes by its index',
  ]);
});

test('components and lib must not import features', () => {
  const text = `import { a } from '@/features/genes/index.ts';`;
  expect(
    featuresOf({ 'features/genes/index.ts': '', 'components/b.tsx': text, 'lib/c.ts': text }).sort(),
  ).toEqual([
    'components/b.tsx: components may not import the feature genes',
    'lib/c.ts: lib may not import the feature genes',
  ]);
});

test('cycles of features are faults, types included', () => {
  expect(
    featuresOf({
      'features/a/index.ts': `import type { B } from '../b/index.ts';`,
      'features/b/index.ts': `import { c } from '../c/index.ts';`,
      'features/c/index.ts': `import { a } from '../a/index.ts';`,
    }),
  ).toEqual(['features/a: circle a → b → c → a']);
});

test('analyses of the server import nothing of each other, types included', () => {
  const server = {
    'boot/compute-thread.ts': '',
    'features/analyses/index.ts': '',
    'features/scores/index.ts': `import { a } from '../analyses/index.ts';`,
  };
  expect(featuresOf(server)).toEqual([]);
  expect(
    featuresOf({ ...server, 'features/cell-models/a.ts': `import type { A } from '../analyses/index.ts';` }),
  ).toEqual([
    'features/cell-models/a.ts: analyses need nothing from each other: move what it needs of analyses below both',
  ]);
});

test('declared analyses import nothing of each other, but those along an axis what they share', () => {
  const files = {
    'all.ts': `import { a } from './gradient/declare.ts';`,
    'gradient/declare.ts': `import { b } from '../axis/fields.ts';\nimport { c } from '../fields.ts';`,
  };
  expect(analysisFaults(written(files))).toEqual([]);
  const other = `import type { A } from '../gradient/declare.ts';`;
  expect(analysisFaults(written({ ...files, 'trajectory/serve.ts': other }))).toEqual([
    'trajectory/serve.ts: analyses need nothing from each other: move what it needs of gradient below both',
  ]);
});
