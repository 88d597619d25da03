// Finds a browser for the browser tests; on Debian, as root, Chromium's headless shell is installed if it is missing.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** The same Chromium without windows, whose drawing takes about half of the processor time of a test. */
const headlessShell = '/usr/bin/chromium-headless-shell';

const candidates = [
  process.env.CELLFOLIO_CHROMIUM,
  headlessShell,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Path of a browser; undefined if there is none and it cannot be installed. */
export function ensureBrowser() {
  if (!process.env.CELLFOLIO_CHROMIUM && !existsSync(headlessShell))
    installOnDebian('chromium-headless-shell');
  if (installed() === undefined) installOnDebian('chromium');
  return installed();
}

function installed() {
  return candidates.find((path) => path && existsSync(path));
}

function installOnDebian(name) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  process.stderr.write(`Installing ${name} for the browser tests…\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', name],
  ]) {
    spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  }
}
