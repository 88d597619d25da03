// npm run licences: the notices of all packages that are shipped with the server or in the web app, on standard output.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { licencesRead } from './dependencies.mjs';
import { root } from './toolchain.mjs';

/** Shipped packages of a lock file: path below `root`, name, version, licence. */
export function shippedPackages(lock) {
  return Object.entries(lock.packages)
    .filter(
      ([path, entry]) => path.includes('node_modules/') && !entry.link && !entry.dev && !entry.devOptional,
    )
    .map(([path, { version, license }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return { path, name, version, licence: license ?? licencesRead.get(name) ?? 'unknown' };
    })
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en') || a.version.localeCompare(b.version, 'en'));
}

/** Texts of licences and notices in a folder of a package. */
function texts(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^(licen[cs]e|copying|notice)/i.test(name))
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8').trim());
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const packages = shippedPackages(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  const lines = [`Cellfolio ships ${packages.length} packages of others. Its own licence is in LICENSE.`, ''];
  for (const { path, name, version, licence } of packages) {
    lines.push('='.repeat(80), `${name} ${version}: ${licence}`, '');
    const licenceTexts = texts(join(root, path));
    // Builds for other systems are in the lock file, and not installed.
    const without = existsSync(join(root, path)) ? 'states no text of its licence' : 'is not installed here';
    lines.push(...(licenceTexts.length > 0 ? licenceTexts : [`The package ${without}.`]), '');
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}
