import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
// @ts-expect-error Plain JavaScript, as the other commands.
import { root } from '../toolchain.mjs';
// @ts-expect-error Plain JavaScript, as the other commands.
import { statedVersions } from './version-places.mjs';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };

test('packages, lock file, chart, image, citation and changelog state the same version', () => {
  const stated = statedVersions(root) as { place: string; version: string }[];
  expect(stated.filter((one) => one.version !== version)).toEqual([]);
  const places = new Set(stated.map(({ place }) => place));
  for (const place of ['CHANGELOG.md', 'CITATION.cff', 'apps/server/package.json', 'e2e/package.json'])
    expect(places).toContain(place);
  // As those who read these files do.
  const chart = parse(read('deploy/helm/cellfolio/Chart.yaml')) as object;
  expect(chart).toMatchObject({ version, appVersion: version });
  expect(parse(read('deploy/helm/cellfolio/values.yaml'))).toMatchObject({ image: { tag: version } });
  expect(parse(read('CITATION.cff'))).toMatchObject({ 'cff-version': '1.2.0', version });
  expect(JSON.parse(read('.zenodo.json'))).toMatchObject({ version, upload_type: 'software' });
});

test('packages of the project take any version of each other, so that a release leaves their ranges alone', () => {
  const manifests = globSync('{packages,apps}/*/package.json', { cwd: root });
  expect(manifests.length).toBeGreaterThan(10);
  const ranges = [...manifests, ...globSync('{bench,conformance,e2e}/package.json', { cwd: root })].flatMap(
    (path) => {
      const { dependencies = {}, devDependencies = {} } = JSON.parse(read(path)) as Record<string, object>;
      return Object.entries({ ...dependencies, ...devDependencies })
        .filter(([name]) => name.startsWith('@cellfolio/'))
        .map(([name, range]) => `${path}: ${name} ${range}`);
    },
  );
  expect(ranges.length).toBeGreaterThan(30);
  expect(ranges.filter((range) => !range.endsWith(' *'))).toEqual([]);
});

test('the citation and the record for Zenodo say the same', () => {
  const citation = parse(read('CITATION.cff')) as Record<string, unknown>;
  const record = JSON.parse(read('.zenodo.json')) as Record<string, unknown>;
  expect(record).toMatchObject({
    title: citation['title'],
    description: citation['abstract'],
    publication_date: citation['date-released'],
    creators: citation['authors'],
    license: citation['license'],
    keywords: citation['keywords'],
  });
});
