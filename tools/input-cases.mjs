// Adds every input of packages/ingest/fixtures/cases with the command line of one or several checkouts, each in a new
// data folder, and prints a Markdown table of which answers are right:
//
//     node tools/input-cases.mjs [CHECKOUT…]
//
// Without a checkout it is this one's. The right answers and how they are compared are this checkout's.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const here = resolve(import.meta.dirname, '..');
const { differences, inputCases } = await import(
  join(here, 'apps/server/src/ops/datasets/input-cases.test-data.ts')
);
const checkouts = process.argv.slice(2).map((path) => resolve(path));
if (checkouts.length === 0) checkouts.push(here);

/** Length of a cell of the table, in characters. */
const maxCell = 160;
const tally = checkouts.map(() => ({ right: 0, of: 0 }));
process.stdout.write(`| input | ${checkouts.join(' | ')} |\n|---|${'---|'.repeat(checkouts.length)}\n`);
for (const input of await inputCases()) {
  const cells = [];
  for (const [at, checkout] of checkouts.entries()) {
    const faults = await answer(checkout, input);
    tally[at].of++;
    if (faults.length === 0) tally[at].right++;
    cells.push(faults.length === 0 ? 'right' : faults.join('; ').replaceAll(/\s+/g, ' ').slice(0, maxCell));
  }
  const row = [`${input.topic}: ${input.title}`, ...cells].map((cell) => cell.replaceAll('|', '\\|'));
  process.stdout.write(`| ${row.join(' | ')} |\n`);
}
process.stdout.write(`\nRight: ${tally.map(({ right, of }) => `${right} of ${of}`).join(', ')}\n`);

/** How the answer differs from the right one. */
async function answer(checkout, { path, options, right }) {
  const dataDir = mkdtempSync(join(tmpdir(), 'cellfolio-case-'));
  try {
    const catalogue = ['--name', 'A', '--disease', 'B', '--subdisease', 'C'];
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        join(checkout, 'apps/server/src/ops/main.ts'),
        'dataset',
        'add',
        path,
        ...catalogue,
        '--no-compute',
        ...options,
      ],
      { encoding: 'utf8', env: { ...process.env, DATA_DIR: dataDir }, cwd: checkout, maxBuffer: 2 ** 26 },
    );
    if (status !== 0) return await differences(right, { refused: stderr + stdout });
    const [, id] = /^Added as (\S+):/m.exec(stdout);
    return await differences(right, { report: stdout, objects: join(dataDir, 'objects'), id });
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
