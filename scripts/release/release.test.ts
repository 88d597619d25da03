import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
// @ts-expect-error Plain JavaScript, as the other commands.
import { root } from '../toolchain.mjs';
// @ts-expect-error Plain JavaScript, as the other commands.
import { release } from './release.mjs';
// @ts-expect-error Plain JavaScript, as the other commands.
import { statedVersions } from './version-places.mjs';

/** Files of the project that a release reads or changes, but the changelog. */
const copied = [
  '{package,package-lock}.json',
  '{packages,apps}/*/package.json',
  '{bench,conformance,e2e}/package.json',
  'CITATION.cff',
  'clients/python/pyproject.toml',
  'clients/r/DESCRIPTION',
  '.zenodo.json',
  '.gitignore',
  'deploy/helm/cellfolio/{Chart,values}.yaml',
  'deploy/docker/Dockerfile',
];
const now = new Date('2027-02-03T23:30:00Z');
const next = '7.1.0-rc.1';

let folder: string;
let current: string;
let start: string;
/** The folder of a release. */
let target: string;
const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
const read = (path: string) => readFileSync(join(folder, path), 'utf8');
const write = (path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const commit = (message: string) => {
  git('add', '--all');
  git('commit', '--quiet', '--message', message);
};
const changelog = (changes: string) =>
  `# Changelog\n\n## [Unreleased]\n\n${changes}## [${current}] - 2026-01-01\n\n- First version.\n`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cellfolio-release-'));
  for (const path of globSync(copied, { cwd: root as string }))
    cpSync(join(root as string, path), join(folder, path), { recursive: true });
  current = (JSON.parse(read('package.json')) as { version: string }).version;
  // Text of a licence as installed packages have it, in a folder that git ignores.
  write('node_modules/fastify/LICENSE', 'Text of the licence of fastify');
  git('init', '--quiet');
  for (const [key, value] of [
    ['user.name', 'A maintainer'],
    ['user.email', 'maintainer@example.org'],
    ['commit.gpgSign', 'false'],
    ['tag.gpgSign', 'false'],
    ['core.hooksPath', join(folder, '.git', 'hooks')],
  ] as const)
    git('config', key, value);
  write('CHANGELOG.md', changelog(''));
  write('supabase/migrations/1_old.sql', 'select 1;\n');
  commit('Start');
  git('tag', `v${current}`);
  write('CHANGELOG.md', changelog('### Added\n\n- A figure.\n\n### Upgrade notes\n\n- Set `NAME`.\n\n'));
  write('supabase/migrations/3_newest.sql', 'select 3;\n');
  write('supabase/migrations/2_newer.sql', 'select 2;\n');
  commit('Add a figure');
  start = git('rev-parse', 'HEAD');
});
/** Undoes what a test did. */
function restore(): void {
  for (const tag of git('tag', '--list')
    .split('\n')
    .filter((name) => name !== `v${current}`))
    git('tag', '-d', tag);
  git('reset', '--hard', '--quiet', start);
  git('clean', '-fdq');
}
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a release', () => {
  beforeAll(() => {
    target = join(folder, release(folder, next, { now }) as string);
  });

  test('sets the version everywhere, moves the changes under it with new migrations, commits and tags', () => {
    const stated = statedVersions(folder) as { version: string }[];
    expect(new Set(stated.map(({ version }) => version))).toEqual(new Set([next]));
    expect(read('CITATION.cff')).toMatch(/^date-released: 2027-02-03$/m);
    expect(JSON.parse(read('.zenodo.json'))).toMatchObject({ publication_date: '2027-02-03' });
    expect(read('CHANGELOG.md')).toBe(`# Changelog

## [Unreleased]

## [${next}] - 2027-02-03

### Added

- A figure.

### Upgrade notes

- Migrations run at the first start; back up before it ([how to upgrade](docs/operate.md#upgrade)):
  - \`2_newer.sql\`
  - \`3_newest.sql\`
- Set \`NAME\`.

## [${current}] - 2026-01-01

- First version.
`);
    expect([git('status', '--porcelain'), git('log', '-1', '--format=%s')]).toEqual(['', `Release ${next}`]);
    expect(git('rev-parse', `v${next}^{commit}`)).toBe(git('rev-parse', 'HEAD'));
    expect(git('rev-parse', 'HEAD~1')).toBe(start);
    // Nothing but versions changed: the lock file is as npm writes it.
    const [added, removed] = git('diff', '--numstat', 'HEAD~1', '--', 'package-lock.json').split('\t');
    expect(added).toBe(removed);
    expect(execFileSync('npm', ['ls', '--package-lock-only'], { cwd: folder, encoding: 'utf8' })).toContain(
      `@cellfolio/server@${next}`,
    );
  });

  test('writes the sources, what is shipped with its licences, provenance, and checksums of all of them', () => {
    const file = (ending: string) => readFileSync(join(target, `cellfolio-${next}${ending}`));
    const sums = new Map(
      readFileSync(join(target, 'SHA256SUMS'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split('  ').toReversed() as [string, string]),
    );
    const written = globSync('*', { cwd: target }).filter((name) => name !== 'SHA256SUMS');
    expect([...sums.keys()].sort()).toEqual(written.sort());
    for (const [name, sum] of sums)
      expect(
        createHash('sha256')
          .update(readFileSync(join(target, name)))
          .digest('hex'),
        name,
      ).toBe(sum);

    const listed = execFileSync('tar', ['-tzf', join(target, `cellfolio-${next}.tar.gz`)], {
      encoding: 'utf8',
    });
    expect(listed.split('\n')).toContain(`cellfolio-${next}/supabase/migrations/3_newest.sql`);
    expect(listed).not.toContain('node_modules');

    const bom = JSON.parse(file('.cdx.json').toString()) as {
      metadata: { component: object };
      components: { 'bom-ref': string; licenses: unknown[] }[];
      dependencies: { ref: string; dependsOn: string[] }[];
    };
    expect(bom).toMatchObject({ bomFormat: 'CycloneDX' });
    expect(bom.metadata.component).toMatchObject({ name: 'cellfolio', version: next, type: 'application' });
    const refs = bom.components.map((component) => component['bom-ref'].replace(/(?<=.)@[^@]*$/, ''));
    expect(refs).toEqual(expect.arrayContaining(['react', 'fastify', 'h5wasm', '@cellfolio/server']));
    for (const name of ['@playwright/test', 'autocannon', 'vite', '@cellfolio/e2e'])
      expect(refs).not.toContain(name);
    expect(bom.components.filter(({ licenses }) => !licenses)).toEqual([]);
    const ends = bom.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
    const all = new Set([...bom.components.map((one) => one['bom-ref']), `cellfolio@${next}`]);
    expect(ends.filter((ref) => !all.has(ref))).toEqual([]);

    const licences = file('.licences.txt').toString();
    expect(licences).toContain('Text of the licence of fastify');
    const shipped = Number(/ships (\d+) packages/.exec(licences)![1]);
    expect(shipped).toBeGreaterThan(300);

    const statement = JSON.parse(file('.provenance.json').toString()) as { subject: { name: string }[] };
    expect(statement).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      predicateType: 'https://slsa.dev/provenance/v1',
      predicate: {
        buildDefinition: {
          externalParameters: { command: `npm run release -- ${next}`, version: next },
          internalParameters: { signature: expect.stringContaining('unsigned') },
          resolvedDependencies: [{ digest: { gitCommit: git('rev-parse', 'HEAD') } }, {}],
        },
        runDetails: {
          builder: { version: { node: process.versions.node, npm: expect.stringMatching(/^\d/) } },
        },
      },
    });
    for (const { name, digest } of statement.subject as { name: string; digest?: { sha256: string } }[])
      expect(digest!.sha256, name).toBe(sums.get(name));
    expect(statement.subject).toHaveLength(3);
  });
});

describe('a release that fails on the way', () => {
  beforeAll(restore);

  test('leaves commit, files and tags as they were', () => {
    writeFileSync(join(folder, '.git/hooks/pre-commit'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    expect(() => release(folder, next, { now })).toThrow('git commit');
    rmSync(join(folder, '.git/hooks/pre-commit'));
    // After the commit: npm reads no such lock file.
    const real = process.env['PATH'];
    const broken = join(folder, '.git/broken');
    mkdirSync(broken, { recursive: true });
    writeFileSync(join(broken, 'npm'), '#!/bin/sh\necho broken >&2\nexit 1\n', { mode: 0o755 });
    process.env['PATH'] = `${broken}:${real}`;
    try {
      expect(() => release(folder, next, { now })).toThrow('npm sbom: broken');
    } finally {
      process.env['PATH'] = real;
    }
    expect([git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag', '--list')]).toEqual([
      start,
      '',
      `v${current}`,
    ]);
    expect(existsSync(target)).toBe(false);
  });
});

describe('a release is refused', () => {
  beforeEach(restore);

  test.each<[string, string | undefined, () => void, RegExp]>([
    ['without a version', undefined, () => {}, /is no semantic version such as/],
    ['with a version of two numbers', '7.1', () => {}, /“7\.1” is no semantic version/],
    ['with a v before the version', 'v7.1.0', () => {}, /“v7\.1\.0” is no semantic version/],
    ['with a changed file', next, () => write('CITATION.cff', 'changed'), /working tree has changes/],
    ['with a new file', next, () => write('new.txt', ''), /working tree has changes/],
    ['with an older version', '0.0.1', () => {}, /0\.0\.1 is not newer than the current version, /],
    ['with a tag of its version', next, () => git('tag', `v${next}`), /tag v7\.1\.0-rc\.1 exists already/],
    [
      'where files state different versions',
      next,
      () => {
        write('deploy/helm/cellfolio/Chart.yaml', 'version: 0.0.9\nappVersion: 0.0.9\n');
        commit('Change the chart');
      },
      /^deploy\/helm\/cellfolio\/Chart\.yaml states 0\.0\.9, and package\.json /,
    ],
    [
      'with nothing but headings under Unreleased',
      next,
      () => {
        write('CHANGELOG.md', changelog('### Added\n\n'));
        commit('Empty the changelog');
      },
      /CHANGELOG\.md has no changes under/,
    ],
    [
      'where the changelog has no section for it',
      next,
      () => {
        write('CHANGELOG.md', changelog('- A change.\n\n').replace('## [Unreleased]\n\n', ''));
        commit('Remove the section');
      },
      /CHANGELOG\.md has no changes under/,
    ],
  ])('%s', (_name, version, prepare, message) => {
    prepare();
    const before = [git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag', '--list')];
    expect(() => release(folder, version, { now })).toThrow(
      expect.objectContaining({ tag: 'ReleaseRefused', message: expect.stringMatching(message) }) as Error,
    );
    expect([git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag', '--list')]).toEqual(before);
  });

  test('with the current version', () => {
    expect(() => release(folder, current, { now })).toThrow(
      `${current} is not newer than the current version`,
    );
  });

  test('without the tag of the current version, since which migrations are listed', () => {
    git('tag', '-d', `v${current}`);
    try {
      expect(() => release(folder, next, { now })).toThrow(`There is no tag v${current}`);
    } finally {
      git('tag', `v${current}`, `${start}~1`);
    }
  });

  test('by the command with its message alone and a failure as its exit code', () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(root as string, 'scripts/release/release.mjs'), 'soon'],
      { encoding: 'utf8' },
    );
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^“soon” is no semantic version .*\n$/);
  });
});
