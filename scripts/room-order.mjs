// The folders of the server and of the platform are rooms in a row: a file imports from its own room and from those
// before it, types included. (Cycles between files are refused by import/no-cycle.)
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './toolchain.mjs';

/** From the bottom up. */
export const rooms = {
  'apps/server/src': 'runtime features boot ops'.split(' '),
  'apps/server/src/runtime':
    'short-memory listed-names api-failure observability limits tables progress compute http'.split(' '),
  'apps/server/src/features':
    'demo catalogue gene-sets selection scores subsets explore markers pathways export uploads'.split(' '),
  'packages/platform/src':
    'database credentials gateway settings auth api-keys accounts limits storage rest functions platform-plugin index'.split(
      ' ',
    ),
};

const isOfTests =
  /\.test\.ts$|\.test-data\.ts$|(^|\/)testing(\/|\.ts$)|(^|\/)(test-[\w-]+|counting-queries|open-test-database)\.ts$/;

/**
 * @param folder where the rooms are
 * @param order their names, each a folder or a file of it, those first that know nothing of the others
 * @returns lines `file: what is wrong`
 */
export function roomFaults(folder, order) {
  const roomOf = (path) => relative(folder, path).split('/')[0].replace(/\.ts$/, '');
  const faults = [];
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!name.endsWith('.ts') || isOfTests.test(name)) continue;
    const path = join(folder, name);
    const room = roomOf(path);
    if (!order.includes(room))
      faults.push(`${name}: the room ${room} has no place in scripts/room-order.mjs`);
    for (const [, from] of readFileSync(path, 'utf8').matchAll(/(?:from|import\(|import) ?'(\.[^']+)'/g)) {
      const other = roomOf(resolve(dirname(path), from));
      if (order.indexOf(other) > order.indexOf(room))
        faults.push(`${name}: ${room} may not import from ${other}`);
    }
  }
  return faults;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const faults = Object.entries(rooms).flatMap(([folder, order]) =>
    roomFaults(join(root, folder), order).map((fault) => `${folder}/${fault}`),
  );
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}
