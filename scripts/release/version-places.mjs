// The places that state the version of the project, and the date of its release.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newestVersion } from './changelog.mjs';

/** The group of each pattern is the version; it matches once in its file. */
const versionPatterns = [
  ['CITATION.cff', /^version: (.+)$/gm],
  ['.zenodo.json', /^ {2}"version": "(.+)"/gm],
  ['deploy/helm/cellfolio/Chart.yaml', /^version: (.+)$/gm],
  ['deploy/helm/cellfolio/Chart.yaml', /^appVersion: (.+)$/gm],
  ['deploy/helm/cellfolio/values.yaml', /^ {2}tag: (.+)$/gm],
  ['clients/python/pyproject.toml', /^version = "(.+)"$/gm],
  ['deploy/docker/Dockerfile', /org\.opencontainers\.image\.version="(.+?)"/g],
];
/** Versions of R have no pre-release: theirs is that of the release. */
const rPlace = ['clients/r/DESCRIPTION', /^Version: (.+)$/gm];
const rVersion = (version) => version.replace(/-.*/, '');
const manifestPattern = /^ {2}"version": "(.+)"/gm;
const datePatterns = [
  ['CITATION.cff', /^date-released: (.+)$/gm],
  ['.zenodo.json', /^ {2}"publication_date": "(.+)"/gm],
];
const lockFile = 'package-lock.json';

/** Paths of the `package.json` files of the project and its workspaces. */
function manifests(folder) {
  const { workspaces } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return [
    'package.json',
    ...globSync(
      workspaces.map((path) => `${path}/package.json`),
      { cwd: folder },
    ),
  ];
}

function allPatterns(folder) {
  return [...manifests(folder).map((file) => [file, manifestPattern]), ...versionPatterns];
}

/** Entries of the project and its workspaces in the lock file; npm writes the version of the project twice. */
function lockEntries(folder, lock) {
  return [lock, ...manifests(folder).map((file) => lock.packages[file.replace(/\/?package\.json$/, '')])];
}

/** `{ place, version }` of each place, that of the project first. */
export function statedVersions(folder) {
  const read = (file) => readFileSync(join(folder, file), 'utf8');
  const { version } = JSON.parse(read('package.json'));
  const ofR = onlyMatch(read(rPlace[0]), ...rPlace);
  const lock = JSON.parse(read(lockFile));
  return [
    ...allPatterns(folder).map(([file, pattern]) => ({
      place: file,
      version: onlyMatch(read(file), file, pattern),
    })),
    { place: rPlace[0], version: ofR === rVersion(version) ? version : ofR },
    ...lockEntries(folder, lock).map((entry) => ({
      place: `${lockFile} (${entry?.name ?? 'a workspace is missing'})`,
      version: entry?.version,
    })),
    { place: 'CHANGELOG.md', version: newestVersion(read('CHANGELOG.md')) },
  ];
}

/** Writes version and date into each place but the changelog; `date` as `2026-11-30`. */
export function setVersion(folder, version, date) {
  for (const [file, pattern] of allPatterns(folder)) replaceOnly(folder, file, pattern, version);
  for (const [file, pattern] of datePatterns) replaceOnly(folder, file, pattern, date);
  replaceOnly(folder, ...rPlace, rVersion(version));
  const path = join(folder, lockFile);
  const lock = JSON.parse(readFileSync(path, 'utf8'));
  for (const entry of lockEntries(folder, lock)) entry.version = version;
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
}

function replaceOnly(folder, file, pattern, text) {
  const path = join(folder, file);
  const before = readFileSync(path, 'utf8');
  onlyMatch(before, file, pattern);
  writeFileSync(
    path,
    before.replace(pattern, (line, old) => line.replace(old, () => text)),
  );
}

function onlyMatch(text, file, pattern) {
  const matches = [...text.matchAll(pattern)];
  if (matches.length === 1) return matches[0][1];
  throw new Error(`${file}: ${pattern.source} matches ${matches.length} times, and must match once`);
}
