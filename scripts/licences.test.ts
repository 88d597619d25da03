import { expect, test } from 'vitest';
// @ts-expect-error Plain JavaScript, as the other commands.
import { shippedPackages } from './licences.mjs';

test('the notices list packages that are shipped, sorted, and those read by hand under what was read', () => {
  const entry = { version: '1.0.0', license: 'MIT' };
  const packages = shippedPackages({
    packages: {
      '': {},
      'apps/server': { name: 'ours' },
      'node_modules/ours': { link: true },
      'node_modules/tester': { ...entry, dev: true },
      'node_modules/tool': { ...entry, devOptional: true },
      'node_modules/zoo': { ...entry, license: 'MPL-2.0' },
      'node_modules/zoo/node_modules/combine-errors': { version: '3.0.3' },
      'node_modules/nameless': { version: '2.0.0' },
    },
  }) as { name: string; licence: string }[];
  expect(packages.map(({ name, licence }) => `${name}: ${licence}`)).toEqual([
    'combine-errors: MIT',
    'nameless: unknown',
    'zoo: MPL-2.0',
  ]);
});
