import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
// @ts-expect-error Plain JavaScript, since it runs before anything is installed.
import { isInstalled } from './toolchain.mjs';

it('installs again only when the lock has what npm has not recorded as installed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'installed-'));
  const lock = (packages: object) =>
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
  const here = { 'node_modules/a': { version: '1.0.0' } };
  lock({ '': { name: 'app' }, ...here, 'node_modules/a-for-windows': { version: '1.0.0', optional: true } });
  expect(isInstalled(folder)).toBe(false);

  mkdirSync(join(folder, 'node_modules'));
  writeFileSync(join(folder, 'node_modules', '.package-lock.json'), JSON.stringify({ packages: here }));
  expect(isInstalled(folder)).toBe(true);

  lock({ '': { name: 'app' }, 'node_modules/a': { version: '1.0.1' } });
  expect(isInstalled(folder)).toBe(false);
  lock({ '': { name: 'app' }, ...here, 'node_modules/b': { version: '1.0.0' } });
  expect(isInstalled(folder)).toBe(false);
});
