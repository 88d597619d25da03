// The folder of the data of tests on real data. As a command: says which folder that is; exit code 1 if it is absent.
import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './toolchain.mjs';

/** The folder `data` in the folder that CELLFOLIO_SHARED names; by default in `shared` beside the repository. */
export const realDataFolder = join(resolve(root, process.env.CELLFOLIO_SHARED || '../shared'), 'data');

/** Writes which folder the tests read, or what to do where it is absent. Returns whether it is there. */
export function reportRealData() {
  const isPresent = existsSync(realDataFolder);
  const problem =
    'is absent: CELLFOLIO_SHARED names the folder that contains `data`. No real data is tested.';
  process.stderr.write(`Real data: ${realDataFolder}${isPresent ? '' : ` ${problem}`}\n`);
  return isPresent;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  process.exitCode = reportRealData() ? 0 : 1;
