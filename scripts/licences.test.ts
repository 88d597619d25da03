import { expect, test } from 'vitest';
// @ts-expect-error Plain JavaScript, as the other commands.
import { shippedPackages, shippedPaths } from './shipped.mjs';
// @ts-expect-error Plain JavaScript, as the other commands.
import { root } from './toolchain.mjs';

test('the notices list packages that are shipped, sorted, and those read by hand under what was read', () => {
  const entry = { version: '1.0.0', license: 'MIT' };
  const packages = {
    'apps/server': { name: 'ours' },
    'node_modules/ours': { link: true },
    'node_modules/types': { ...entry, dev: true },
    'node_modules/peer': { ...entry, devOptional: true },
    'node_modules/zoo': { ...entry, license: 'MPL-2.0' },
    'node_modules/zoo/node_modules/combine-errors': { version: '3.0.3' },
    'node_modules/other-name': { ...entry, name: '@real/name' },
    'node_modules/nameless': { version: '2.0.0' },
  };
  const shipped = shippedPackages({ packages }, Object.keys(packages)) as { name: string; licence: string }[];
  expect(shipped.map(({ name, licence }) => `${name}: ${licence}`)).toEqual([
    '@real/name: MIT',
    'combine-errors: MIT',
    'nameless: unknown',
    'zoo: MPL-2.0',
  ]);
});

test('what server and web app need is shipped, also where another workspace needs it for development only', () => {
  const paths = shippedPaths(root) as string[];
  for (const name of ['fastify', 'pg', 'react', 'react-dom', 'sonner'])
    expect(paths).toContain(`node_modules/${name}`);
  expect(paths).toEqual(
    expect.arrayContaining(['node_modules/@cellfolio/server', 'node_modules/@cellfolio/platform']),
  );
  for (const name of ['@playwright/test', 'autocannon', 'axe-core', 'vite', 'vitest'])
    expect(paths).not.toContain(`node_modules/${name}`);
});
