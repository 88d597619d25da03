// npm run advisories -- FILE…: checks the packages of package-lock.json against advisories in OSV format, without a
// network. A file has one advisory, a list of them, or one a line; a folder has such files, also in folders.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shippedPackages, shippedPaths } from './shipped.mjs';
import { root } from './toolchain.mjs';

/** Packages of a lock file as `{ name, version, shipped }`. */
function packagesOf(lock, shippedAt) {
  return Object.entries(lock.packages)
    .filter(([path, entry]) => path.includes('node_modules/') && !entry.link)
    .map(([path, { name, version }]) => ({
      name: name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      shipped: shippedAt.has(path),
    }));
}

/**
 * Each package with each advisory that is about its version, as `{ name, version, shipped, id, fixed, … }`.
 *
 * @param shippedAt paths of shipped packages in the lock file
 */
export function findingsOf(lock, advisories, shippedAt) {
  const byName = new Map();
  for (const entry of packagesOf(lock, shippedAt))
    byName.set(entry.name, [...(byName.get(entry.name) ?? []), entry]);
  const findings = [];
  for (const advisory of advisories) {
    if (advisory.withdrawn) continue;
    for (const affected of advisory.affected ?? []) {
      if (affected.package?.ecosystem !== 'npm') continue;
      for (const entry of byName.get(affected.package.name) ?? []) {
        if (!isAffected(entry.version, affected)) continue;
        const { id, aliases = [], summary = '' } = advisory;
        const severity = String(advisory.database_specific?.severity ?? 'unknown').toLowerCase();
        findings.push({ ...entry, id, aliases, summary, severity, fixed: fixOf(entry.version, affected) });
      }
    }
  }
  return findings;
}

/** Versions of npm are in semantic order, whichever of the two a database calls it; others are commits. */
const rangeTypes = new Set(['SEMVER', 'ECOSYSTEM']);

/** By OSV's rule: the version is listed, or lies behind an event that introduces the fault and before its end. */
function isAffected(version, { versions = [], ranges = [] }) {
  if (versions.includes(version)) return true;
  return ranges.some(({ type, events }) => rangeTypes.has(type) && isInRange(version, events));
}

function isInRange(version, events) {
  let affected = false;
  const inOrder = events
    .map((event) => ({ kind: Object.keys(event)[0], at: Object.values(event)[0] }))
    .sort((a, b) => compareVersions(a.at, b.at) || (a.kind === 'introduced' ? 1 : -1));
  for (const { kind, at } of inOrder) {
    const order = compareVersions(version, at);
    if (kind === 'introduced' && order >= 0) affected = true;
    if (kind === 'fixed' && order >= 0) affected = false;
    if (kind === 'last_affected' && order > 0) affected = false;
  }
  return affected;
}

/** The lowest version above this one that mends it; undefined where there is none. */
function fixOf(version, { ranges = [] }) {
  const fixes = ranges.flatMap(({ events }) => events.flatMap(({ fixed }) => fixed ?? []));
  return fixes.filter((fixed) => compareVersions(fixed, version) > 0).sort(compareVersions)[0];
}

/** Precedence of semantic versions (semver.org, 11); `0` is before all. */
export function compareVersions(a, b) {
  const [[left, leftTag], [right, rightTag]] = [a, b].map((text) => {
    const [, numbers, tag] = /^v?([^-+]*)(?:-([^+]*))?/.exec(text);
    return [numbers.split('.').map(Number), tag?.split('.')];
  });
  for (let i = 0; i < 3; i += 1) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  if (!leftTag || !rightTag) return (leftTag ? 0 : 1) - (rightTag ? 0 : 1);
  for (let i = 0; i < Math.max(leftTag.length, rightTag.length); i += 1) {
    const [x, y] = [leftTag[i], rightTag[i]];
    if (x === y) continue;
    if (x === undefined || y === undefined) return x === undefined ? -1 : 1;
    const [xIsNumber, yIsNumber] = [/^\d+$/.test(x), /^\d+$/.test(y)];
    if (xIsNumber && yIsNumber) return Number(x) - Number(y);
    if (xIsNumber !== yIsNumber) return xIsNumber ? -1 : 1;
    return x < y ? -1 : 1;
  }
  return 0;
}

/** Advisories of a file or of all `.json` files of a folder. */
export function* advisoriesIn(path) {
  if (statSync(path).isDirectory()) {
    for (const name of readdirSync(path, { recursive: true })) {
      if (name.endsWith('.json')) yield* advisoriesIn(join(path, name));
    }
    return;
  }
  const text = readFileSync(path, 'utf8').trim();
  const isLines = /^\{.*\}\n\{/.test(text);
  yield* isLines ? text.split('\n').map((line) => JSON.parse(line)) : [JSON.parse(text)].flat();
}

/** Advisories of all paths, counted, since an export has more than memory should hold. */
function* countedIn(paths, counter) {
  for (const path of paths) {
    for (const advisory of advisoriesIn(path)) {
      if (advisory.id && advisory.affected) counter.advisories += 1;
      yield advisory;
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const counter = { advisories: 0 };
  const paths = process.argv.slice(2).filter((path) => existsSync(path));
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const shippedAt = new Set(shippedPackages(lock, shippedPaths(root)).map(({ path }) => path));
  const findings = findingsOf(lock, countedIn(paths, counter), shippedAt);
  if (counter.advisories === 0 || paths.length < process.argv.length - 2) {
    process.stderr.write('No advisories were found there. docs/security.md says where to get them.\n');
    process.exit(2);
  }
  for (const { name, version, shipped, id, aliases, severity, summary, fixed } of findings) {
    const of = `${shipped ? 'shipped' : 'tool'} ${name}@${version}: ${[id, ...aliases].join(', ')} (${severity})`;
    const line = `${of} ${summary}; fixed in ${fixed ?? 'no version yet'}`;
    process.stdout.write(`${line.replaceAll(/\p{Cc}/gu, ' ')}\n`);
  }
  process.stdout.write(
    `${counter.advisories} advisories read, ${findings.length} about packages of package-lock.json.\n`,
  );
  process.exitCode = findings.some(({ shipped }) => shipped) ? 1 : 0;
}
