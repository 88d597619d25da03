// The folders (rooms) of the server and of the platform are ordered: a file may import from its own room and from earlier
// ones, types included. (Cycles between files are refused by import/no-cycle.) Features are imported by their index only
// and have no cycles; the router imports their pages directly, so that each is a chunk.
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './toolchain.mjs';

/** From the bottom up. */
export const rooms = {
  'apps/server/src': 'runtime features boot ops index'.split(' '),
  'apps/server/src/runtime':
    'software remote archives expiring-cache column-names batch-columns limits api-failure fenced-data owners user-documents group-column named-composition observability tables progress gene-names compute cell-totals cell-depths sample-column nesting-cautions sample-replicates http functions'.split(
      ' ',
    ),
  'apps/server/src/features':
    'accounts connected-apps tool-calls quotas billing contact links ai ontology catalogue gene-sets reference-lists selection cellxgene scores subsets dataset-libraries sample-design annotations category-displays embedding gene-lists kept-analyses columns cell-graph explore value-ranking gene-comparisons number-columns group-sums analyses cell-models export uploads account-data gene-finder assistant-tools mcp assistant demo'.split(
      ' ',
    ),
  'packages/platform/src':
    'database credentials gateway settings auth storage rest functions platform-plugin index'.split(' '),
};

const isOfTests =
  /\.test\.ts$|\.test-data\.ts$|(^|\/)testing(\/|\.ts$)|(^|\/)(test-[\w-]+|counting-queries)\.ts$/;

/** Features of the server that need nothing from each other: what two of them need is a room below them. */
const leaves = 'analyses cell-models'.split(' ');

/** Imports the tasks of features directly, so that a thread loads nothing else. */
const computeThread = 'boot/compute-thread.ts';

/** Imports by a relative path or by `@/`. */
const importPattern = /(?:from|import\(|import) ?'((?:\.|@\/)[^']+)'/g;

/** Files that the router may load by `import()` besides indexes. */
const isPage = /-(page|layout)\.tsx$/;

/**
 * @param folder folder of the rooms
 * @param order their names, each a folder or a file, from the bottom up
 * @returns lines `file: problem`
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
    for (const [, from] of readFileSync(path, 'utf8').matchAll(importPattern)) {
      if (!from.startsWith('.')) continue;
      const other = roomOf(resolve(dirname(path), from));
      if (order.indexOf(other) > order.indexOf(room))
        faults.push(`${name}: ${room} may not import from ${other}`);
    }
  }
  return faults;
}

/**
 * @param source the folder with `features`, also `@/`. Features without an index.ts are not checked.
 * @returns lines `file: problem`: imports of another feature not by its index (except test fixtures, pages in `app`, routes
 *   in `boot`, and tasks of the compute thread), imports of a feature in `components` or `lib` and of one leaf in another,
 *   and cycles of features
 */
export function featureFaults(source) {
  const ofServer = existsSync(join(source, computeThread));
  const faults = [];
  const importsOf = new Map();
  const featureOf = (path) => /^features\/([^/]+)\//.exec(path)?.[1];
  for (const name of readdirSync(source, { recursive: true })) {
    if (!/\.tsx?$/.test(name)) continue;
    const ofTests = /\.(test|fixture)\.tsx?$/.test(name) || name.startsWith('testing/');
    if (ofServer && isOfTests.test(name)) continue;
    const own = featureOf(name);
    for (const [statement, from] of readFileSync(join(source, name), 'utf8').matchAll(importPattern)) {
      const target = from.startsWith('@/')
        ? from.slice(2)
        : relative(source, resolve(dirname(join(source, name)), from));
      const other = featureOf(target);
      if (other === undefined || other === own) continue;
      if (ofTests && /\.fixture\.tsx?$/.test(target)) continue;
      if (name.startsWith('app/') && statement.startsWith('import(') && isPage.test(target)) continue;
      if (name.startsWith('boot/') && (target.endsWith('/routes.ts') || name === computeThread)) continue;
      const index = `features/${other}/index.ts`;
      if (!ofTests && /^(components|lib)\//.test(name))
        faults.push(`${name}: ${name.split('/')[0]} may not import the feature ${other}`);
      else if (target !== index && existsSync(join(source, index)))
        faults.push(`${name}: import ${other} by its index`);
      if (ofServer && leaves.includes(own) && leaves.includes(other))
        faults.push(
          `${name}: analyses need nothing from each other: move what it needs of ${other} below both`,
        );
      if (!ofTests && own !== undefined) importsOf.set(own, (importsOf.get(own) ?? new Set()).add(other));
    }
  }
  return [...faults, ...featureCircles(importsOf)];
}

/**
 * @param folder the folders of declared analyses, and `axis`, which those along an axis share
 * @returns lines `file: problem`: imports of one analysis in another
 */
export function analysisFaults(folder) {
  return readdirSync(folder, { recursive: true }).flatMap((name) => {
    if (!/^[^/]+\/.*\.tsx?$/.test(name)) return [];
    const source = readFileSync(join(folder, name), 'utf8');
    return Array.from(source.matchAll(/from ?'\.\.\/([\w-]+)\//g), ([, other]) => other)
      .filter((other) => other !== 'axis')
      .map(
        (other) =>
          `${name}: analyses need nothing from each other: move what it needs of ${other} below both`,
      );
  });
}

function featureCircles(importsOf) {
  const circles = [];
  const done = new Set();
  const visit = (feature, path) => {
    if (path.includes(feature)) {
      const circle = path.slice(path.indexOf(feature));
      circles.push(`features/${feature}: circle ${[...circle, feature].join(' → ')}`);
    } else if (!done.has(feature)) {
      for (const other of importsOf.get(feature) ?? []) visit(other, [...path, feature]);
      done.add(feature);
    }
  };
  for (const feature of importsOf.keys()) visit(feature, []);
  return circles;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const faults = Object.entries(rooms).flatMap(([folder, order]) =>
    roomFaults(join(root, folder), order).map((fault) => `${folder}/${fault}`),
  );
  for (const source of ['apps/web/src', 'apps/server/src'])
    faults.push(...featureFaults(join(root, source)).map((fault) => `${source}/${fault}`));
  const analyses = 'packages/analyses/src';
  faults.push(...analysisFaults(join(root, analyses)).map((fault) => `${analyses}/${fault}`));
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}
