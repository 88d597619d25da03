import { readFileSync } from 'node:fs';

const file = new URL('../../package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string };

/** Name and version of what makes files, as `Cellfolio 0.1.0`. */
export const software = `Cellfolio ${version}`;
