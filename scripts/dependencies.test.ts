import { expect, test } from 'vitest';
// @ts-expect-error Plain JavaScript, since it runs before anything is installed.
import { faultsOf } from './dependencies.mjs';

const good = { version: '1.0.0', integrity: 'sha512-abc', license: 'MIT' };
const faults = (entry: object): string[] =>
  faultsOf({ packages: { '': {}, 'node_modules/thing': entry } }) as string[];

test('a pinned package with a permissive licence has no fault', () => {
  expect(faults(good)).toEqual([]);
  expect(faults({ ...good, license: '(GPL-3.0 OR MIT)' })).toEqual([]);
  expect(faults({ link: true })).toEqual([]);
});

test.each([
  ['no checksum', { integrity: undefined }, 'checksum'],
  ['a weak checksum', { integrity: 'sha1-abc' }, 'checksum'],
  ['a place of its own', { resolved: 'git+ssh://example.org/thing' }, 'besides the registry'],
  ['an install script', { hasInstallScript: true }, 'runs a script'],
  ['a licence that binds us', { license: 'AGPL-3.0' }, 'AGPL-3.0'],
  ['two licences of which one binds us', { license: 'MIT AND GPL-3.0' }, 'GPL-3.0'],
  ['no licence', { license: undefined }, 'unknown'],
])('%s is a fault', (_case, change, expectedFault) => {
  const [fault] = faults({ ...good, ...change });
  expect(fault).toContain('thing@1.0.0');
  expect(fault).toContain(expectedFault);
});
