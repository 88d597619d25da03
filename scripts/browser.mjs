// The browser of browser tests, of the bench and of the figures of the site.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** The same Chromium without windows, whose drawing takes about half of the processor time of a test. */
const headlessShell = '/usr/bin/chromium-headless-shell';

const installedPaths = [
  headlessShell,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Arguments of a browser that draws WebGL in software: the same pictures as on a graphics processor, only slower. */
export const softwareWebglArguments = [
  '--no-sandbox',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
];

/** Path of the browser that CELLFOLIO_CHROMIUM names, else of the first that is installed. Throws where there is none. */
export function browserPath() {
  const named = process.env.CELLFOLIO_CHROMIUM;
  const path = named || installedPaths.find((one) => existsSync(one));
  if (path === undefined) {
    throw new Error(
      'No Chromium or Chrome is installed. Install one (on Debian: apt-get install chromium-headless-shell), or name the path of one with CELLFOLIO_CHROMIUM.',
    );
  }
  if (!existsSync(path)) throw new Error(`CELLFOLIO_CHROMIUM names ${path}, which does not exist.`);
  return path;
}

/** Installs a browser on Debian, as root: the headless shell, else Chromium. Does nothing if CELLFOLIO_CHROMIUM names one. */
export function installBrowser() {
  if (process.env.CELLFOLIO_CHROMIUM) return;
  if (!existsSync(headlessShell)) installOnDebian('chromium-headless-shell');
  if (!installedPaths.some((path) => existsSync(path))) installOnDebian('chromium');
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
