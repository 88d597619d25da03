import { join } from 'node:path';

/** Path of a real file, for tests that end in `.real.test.ts`. Throws unless `vitest.real.config.ts` names their folder. */
export function realData(name: string): string {
  const folder = process.env['CELLFOLIO_REAL_DATA'];
  if (folder === undefined) throw new Error('Tests on real data are run by `npm run test:real`.');
  return join(folder, name);
}
