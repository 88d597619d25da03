import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
// @ts-expect-error Plain JavaScript, as the other commands of npm are.
import { advisoriesIn, compareVersions, findingsOf } from './advisories.mjs';

const folder = mkdtempSync(join(tmpdir(), 'cellfolio-advisories-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const place = 'node_modules/a/node_modules/@of/thing';
const lock = (version: string) => ({
  packages: {
    '': {},
    [place]: { version },
    'packages/own': { link: true },
  },
});
const advisory = (affected: object, more: object = {}) => ({
  id: 'GHSA-1',
  aliases: ['CVE-2026-1'],
  summary: 'It breaks',
  database_specific: { severity: 'HIGH' },
  affected: [{ package: { ecosystem: 'npm', name: '@of/thing' }, ...affected }],
  ...more,
});
const range = (...events: object[]) => ({ ranges: [{ type: 'SEMVER', events }] });
const finds = (version: string, affected: object, more: object = {}) =>
  (findingsOf(lock(version), [advisory(affected, more)], new Set()) as object[]).length > 0;

// From semver.org, 11.
test('versions are in the order of semantic versioning', () => {
  const inOrder = [
    '0',
    '0.9.10',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '2.0.0',
    '2.1.0',
    '2.1.1',
    '10.0.0',
  ];
  expect(inOrder.toReversed().sort(compareVersions as (a: string, b: string) => number)).toEqual(inOrder);
  expect(compareVersions('1.0.0+build.1', '1.0.0+build.2')).toBe(0);
});

test.each([
  ['1.0.0', range({ introduced: '0' }, { fixed: '1.0.1' }), true],
  ['1.0.1-rc.1', range({ introduced: '0' }, { fixed: '1.0.1' }), true],
  ['1.0.1', range({ introduced: '0' }, { fixed: '1.0.1' }), false],
  ['1.9.0', range({ introduced: '2.0.0' }), false],
  ['2.0.0', range({ introduced: '2.0.0' }), true],
  ['1.5.0', range({ introduced: '0' }, { last_affected: '1.5.0' }), true],
  ['1.5.1', range({ introduced: '0' }, { last_affected: '1.5.0' }), false],
  [
    '2.0.5',
    range({ introduced: '0' }, { fixed: '1.0.1' }, { introduced: '2.0.0' }, { fixed: '2.1.0' }),
    true,
  ],
  [
    '1.5.0',
    range({ introduced: '2.0.0' }, { fixed: '2.1.0' }, { introduced: '0' }, { fixed: '1.0.1' }),
    false,
  ],
  ['2.0.0', range({ introduced: '0' }, { fixed: '2.0.0' }, { introduced: '2.0.0' }), true],
  ['1.0.0', { ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '1.0.1' }] }] }, true],
  ['3.3.6', { versions: ['3.3.6'] }, true],
  ['3.3.7', { versions: ['3.3.6'] }, false],
  ['1.0.0', { package: { ecosystem: 'PyPI', name: '@of/thing' }, ...range({ introduced: '0' }) }, false],
  ['1.0.0', { package: { ecosystem: 'npm', name: 'thing' }, ...range({ introduced: '0' }) }, false],
  ['1.0.0', { ranges: [{ type: 'GIT', events: [{ introduced: '0' }] }] }, false],
])('%s and %o: affected %s', (version, affected, expected) => {
  expect(finds(version, affected)).toBe(expected);
});

test('an advisory that was withdrawn counts no more', () => {
  expect(finds('1.0.0', range({ introduced: '0' }), { withdrawn: '2026-01-01T00:00:00Z' })).toBe(false);
});

test('a finding says which package, whether it is shipped, and what mends it', () => {
  const fixes = range({ introduced: '0' }, { fixed: '0.9.0' }, { introduced: '1.0.0' }, { fixed: '1.2.0' });
  const finding = {
    name: '@of/thing',
    version: '1.1.0',
    shipped: false,
    id: 'GHSA-1',
    aliases: ['CVE-2026-1'],
    summary: 'It breaks',
    severity: 'high',
    fixed: '1.2.0',
  };
  expect(findingsOf(lock('1.1.0'), [advisory(fixes)], new Set())).toEqual([finding]);
  expect(findingsOf(lock('1.1.0'), [advisory(fixes)], new Set([place]))).toEqual([
    { ...finding, shipped: true },
  ]);
});

test('a file with one advisory, a list, one a line, and a folder of files are read', () => {
  const one = advisory({});
  const texts = [
    JSON.stringify(one, null, 2),
    JSON.stringify([one, one]),
    `${JSON.stringify(one)}\n${JSON.stringify(one)}\n`,
  ];
  const counts = texts.map((text, i) => {
    const path = join(folder, '2026', `${i}.json`);
    mkdirSync(join(folder, '2026'), { recursive: true });
    writeFileSync(path, text);
    return [...(advisoriesIn(path) as Iterable<object>)].length;
  });
  expect(counts).toEqual([1, 2, 2]);
  expect([...(advisoriesIn(folder) as Iterable<object>)]).toHaveLength(5);
});

test('the command fails for a shipped package, passes otherwise, and never where it was given nothing to go by', () => {
  const run = (text: string) => {
    const path = join(folder, 'given.json');
    writeFileSync(path, text);
    return spawnSync(process.execPath, ['scripts/advisories.mjs', path], { encoding: 'utf8' });
  };
  const about = (name: string) =>
    JSON.stringify({
      id: 'GHSA-2',
      summary: 'A\u001b[31m fault',
      affected: [{ package: { ecosystem: 'npm', name }, ...range({ introduced: '0' }) }],
    });
  const shipped = run(about('fastify'));
  expect([shipped.status, shipped.stdout]).toEqual([
    1,
    expect.stringMatching(
      /^shipped fastify@\d\S+: GHSA-2 \(unknown\) A \[31m fault; fixed in no version yet\n1 advisories read, 1 about/,
    ),
  ]);
  // The lock file does not mark what a workspace needs for development.
  for (const name of ['vitest', 'autocannon'])
    expect(run(about(name))).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(new RegExp(`^tool ${name}@`)),
    });
  expect(run(about('no-such-thing')).status).toBe(0);
  expect(run('[]')).toMatchObject({ status: 2, stderr: expect.stringContaining('No advisories were found') });
  expect(run('{"vulnerabilities": {}}').status).toBe(2);
});
