// Checks the dependencies: pinned by checksum, from the registry only, without install scripts, with an allowed licence,
// and, if they are shipped, without known vulnerabilities.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './toolchain.mjs';

const permissive = new Set([
  '0BSD',
  'AFL-2.1',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  // Applies to changes of its own files only, and we change none.
  'MPL-2.0',
  'OFL-1.1',
  'Zlib',
]);

// Packages without a standard licence name in the lock file; checked by hand.
export const licencesRead = new Map([
  ['busboy', 'MIT'],
  ['combine-errors', 'MIT'],
  ['h5wasm', 'public domain (NIST), with the BSD licence of HDF5'],
  ['humanize-number', 'MIT'],
  ['streamsearch', 'MIT'],
]);

// The pinned Node installs its binary.
const installScripts = new Set(['node']);

/** Problems of the packages of a lock file, one per line. */
export function faultsOf(lock) {
  const faults = [];
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (!path.includes('node_modules/') || entry.link) continue;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const wrong = (text) => faults.push(`${name}@${entry.version}: ${text}`);
    if (!entry.integrity?.startsWith('sha512-')) wrong('is not pinned by a checksum');
    if (entry.resolved !== undefined) wrong('is pinned to a place besides the registry');
    if (entry.hasInstallScript && !installScripts.has(name)) wrong('runs a script when it is installed');
    if (!mayBeUsed(name, entry.license)) wrong(`has the licence ${entry.license ?? 'unknown'}`);
  }
  return faults;
}

function mayBeUsed(name, licence) {
  if (licencesRead.has(name)) return true;
  if (typeof licence !== 'string') return false;
  const words = licence.replace(/[()]/g, '').split(/ (?:AND|OR) /);
  // OR: one is enough; AND: all are required.
  return / AND /.test(licence)
    ? words.every((word) => permissive.has(word))
    : words.some((word) => permissive.has(word));
}

/** Number of shipped packages with severe vulnerabilities; 'unknown' if the registry does not support audits. */
function audit() {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { cwd: root, encoding: 'utf8' });
  let report;
  try {
    report = JSON.parse(stdout);
  } catch {
    return 'unknown';
  }
  if (!report.metadata?.vulnerabilities) return 'unknown';
  const { high, critical } = report.metadata.vulnerabilities;
  return high + critical;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = faultsOf(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  const harmful = audit();
  if (harmful === 'unknown') {
    process.stderr.write('npm audit was not possible: the registry does not support it.\n');
  } else if (harmful > 0) {
    process.stderr.write(`npm audit: ${harmful} shipped packages have severe vulnerabilities.\n`);
  }
  process.exitCode = faults.length > 0 || (harmful !== 'unknown' && harmful > 0) ? 1 : 0;
}
