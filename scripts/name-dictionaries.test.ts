import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
// @ts-expect-error Plain JavaScript, as the other checks.
import { dictionaryFaults } from './name-dictionaries.mjs';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellfolio-check-'));
  const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', target: 'es2024', types: [] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['a.ts'] }));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function faults(code: string): Promise<string[]> {
  await writeFile(join(folder, 'a.ts'), `${code}\nexport {};\n`);
  return dictionaryFaults([join(folder, 'tsconfig.json')], folder) as string[];
}

test.each([
  [
    'reads a count by a name',
    'const counts: Record<string, number> = {};\nexport const of = (name: string) => counts[name];',
  ],
  [
    'writes a count by a name',
    'export function add(counts: { [name: string]: number }, name: string) {\n  counts[name] = 1;\n}',
  ],
  [
    'asks for a name with in',
    'export function has(counts: object, name: string) {\n  return name in counts;\n}',
  ],
  [
    'looks up in a part of something else',
    'interface Roles { metadata: Readonly<Record<string, string>> }\nexport const of = (roles: Roles, name: string) => roles.metadata[name];',
  ],
  [
    'has a name of a type of its own',
    'export function of<Name extends string>(all: Record<Name, number>, name: Name) {\n  return all[name];\n}',
  ],
  [
    'takes a name out of an object',
    'export function of(all: Record<string, number>, name: string) {\n  const { [name]: one } = all;\n  return one;\n}',
  ],
])('code that %s is found', async (_what, code) => {
  const found = await faults(code);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(/^a\.ts:[23]: /);
});

test.each([
  [
    'a map',
    'const counts = new Map<string, number>();\nexport const of = (name: string) => counts.get(name);',
  ],
  ['a list', 'export const of = (all: string[], i: number) => all[i];'],
  [
    'names that are ours alone',
    "export const of = (all: { a: number; b: number }, name: 'a' | 'b') => all[name];",
  ],
  [
    'a lookup that says why no stranger chooses the name',
    'export const of = (all: Record<string, number>, name: string) =>\n  // name-dictionary: names of our own headers\n  all[name];',
  ],
])('%s is no fault', async (_what, code) => {
  expect(await faults(code)).toEqual([]);
});

test('a comment without a reason is ignored', async () => {
  const code =
    'export const of = (all: Record<string, number>, name: string) =>\n  // name-dictionary:\n  all[name];';
  expect(await faults(code)).toHaveLength(1);
});

test('a record of zod, which drops __proto__, is found', async () => {
  const code =
    'declare const z: { record(key: unknown, value: unknown): void; string(): void };\nz.record(z.string(), 1);';
  expect(await faults(code)).toHaveLength(1);
});
