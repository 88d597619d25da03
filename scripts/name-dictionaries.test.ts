import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
// @ts-expect-error Plain JavaScript, as the other checks.
import { dictionaryFaults } from './name-dictionaries.mjs';

const faulty: Readonly<Record<string, string>> = {
  'reads a count by a name':
    'const counts: Record<string, number> = {};\nexport const of = (name: string) => counts[name];',
  'writes a count by a name':
    'export function add(counts: { [name: string]: number }, name: string) {\n  counts[name] = 1;\n}',
  'asks for a name with in':
    'export function has(counts: object, name: string) {\n  return name in counts;\n}',
  'looks up in a part of something else':
    'interface Roles { metadata: Readonly<Record<string, string>> }\nexport const of = (roles: Roles, name: string) => roles.metadata[name];',
  'has a name of a type of its own':
    'export function of<Name extends string>(all: Record<Name, number>, name: Name) {\n  return all[name];\n}',
  'takes a name out of an object':
    'export function of(all: Record<string, number>, name: string) {\n  const { [name]: one } = all;\n  return one;\n}',
  'has a comment without a reason':
    'export const of = (all: Record<string, number>, name: string) =>\n  // name-dictionary:\n  all[name];',
  'takes a record of zod, which drops __proto__':
    'declare const z: { record(key: unknown, value: unknown): void; string(): void };\nz.record(z.string(), 1);',
};
const sound: Readonly<Record<string, string>> = {
  'a map': 'const counts = new Map<string, number>();\nexport const of = (name: string) => counts.get(name);',
  'a list': 'export const of = (all: string[], i: number) => all[i];',
  'names that are ours alone':
    "export const of = (all: { a: number; b: number }, name: 'a' | 'b') => all[name];",
  'a lookup that says why no stranger chooses the name':
    'export const of = (all: Record<string, number>, name: string) =>\n  // name-dictionary: names of our own headers\n  all[name];',
};

const sources = Object.entries({ ...faulty, ...sound }).map(([what, code], at) => ({
  what,
  name: `source-${at}.ts`,
  code: `${code}\nexport {};\n`,
}));
let folder: string;
let faults: readonly string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellfolio-check-'));
  const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', target: 'es2024', types: [] };
  const files = sources.map(({ name }) => name);
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  for (const { name, code } of sources) await writeFile(join(folder, name), code);
  // All at once, as the compiler takes a third of a second to begin.
  faults = dictionaryFaults([join(folder, 'tsconfig.json')], folder) as string[];
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const faultsOf = (what: string) => {
  const { name } = sources.find((source) => source.what === what)!;
  return faults.filter((fault) => fault.startsWith(`${name}:`));
};

test.each(Object.keys(faulty))('code that %s is found', (what) => {
  const reported = faultsOf(what);
  expect(reported).toHaveLength(1);
  expect(reported[0]).toMatch(/^[^:]+:[23]: /);
});

test.each(Object.keys(sound))('%s is no fault', (what) => {
  expect(faultsOf(what)).toEqual([]);
});
