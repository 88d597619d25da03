import { readFileSync } from 'node:fs';

const file = new URL('../../package.json', import.meta.url);

/** As released, such as `0.1.0` or `0.2.0-rc.1`. */
export const { version: softwareVersion } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };

/** Name and version of the program that writes files, as `Cellfolio 0.1.0`. */
export const software = `Cellfolio ${softwareVersion}`;
