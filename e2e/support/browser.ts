import { existsSync } from 'node:fs';

const headlessShell = '/usr/bin/chromium-headless-shell';

/** The browser of the tests: the one that `npm test` found, or was told; else the headless shell, where it is installed. */
export const browserPath =
  process.env['CELLFOLIO_CHROMIUM'] ?? (existsSync(headlessShell) ? headlessShell : '/usr/bin/chromium');
