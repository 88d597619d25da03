// npm run licences [-- FILE]: the notices of all packages that are shipped with the server, in the web app or in the map for
// chats, on standard output or in a file.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shippedPackages, shippedPaths } from './shipped.mjs';
import { root } from './toolchain.mjs';

/** Licences and notices of the shipped packages that are installed in `folder`. */
export function notices(folder) {
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  const packages = shippedPackages(lock, shippedPaths(folder));
  const lines = [`Cellfolio ships ${packages.length} packages of others. Its own licence is in LICENSE.`, ''];
  for (const { path, name, version, licence } of packages) {
    lines.push('='.repeat(80), `${name} ${version}: ${licence}`, '');
    const licenceTexts = texts(join(folder, path));
    // Builds for other systems are in the lock file, and not installed.
    const without = existsSync(join(folder, path))
      ? 'states no text of its licence'
      : 'is not installed here';
    lines.push(...(licenceTexts.length > 0 ? licenceTexts : [`The package ${without}.`]), '');
  }
  return `${lines.join('\n')}\n`;
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
  const [file] = process.argv.slice(2);
  if (file === undefined) process.stdout.write(notices(root));
  else writeFileSync(file, notices(root));
}
