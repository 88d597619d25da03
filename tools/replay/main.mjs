// Records what a client gets from the server, and compares it with an earlier record: README.md beside this file.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { differences, numericDifferences } from './compare.mjs';
import { record } from './record.mjs';

const usage = `npm run replay -- record FOLDER [CHECKOUT]
npm run replay -- compare FOLDER [CHECKOUT]
npm run replay -- diff FOLDER FOLDER
npm run replay -- numbers FOLDER FOLDER
`;

const [verb, ...paths] = process.argv.slice(2);
const [folder, other] = paths.map((path) => resolve(path));
const here = resolve(import.meta.dirname, '../..');
const say = (line) => process.stdout.write(`${line}\n`);

if (verb === 'record' && folder !== undefined) {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    fail(`${folder} is not empty: choose a new folder.`);
  await recordInto(folder, other ?? here);
} else if (verb === 'compare' && existsSync(folder ?? '')) {
  const now = mkdtempSync(join(tmpdir(), 'cellfolio-replay-now-'));
  await recordInto(now, other ?? here);
  if (report(folder, now)) rmSync(now, { recursive: true });
  else say(`All of it: diff -r ${folder} ${now}`);
} else if (verb === 'diff' && existsSync(folder ?? '') && existsSync(other ?? '')) {
  report(folder, other);
} else if (verb === 'numbers' && existsSync(folder ?? '') && existsSync(other ?? '')) {
  const { lines, same } = numericDifferences(folder, other);
  for (const line of lines) say(line);
  say(`${same.numbers} numbers and ${same.rows} rows of tables are equal; ${lines.length} files differ.`);
  if (lines.length > 0) process.exitCode = 1;
} else {
  fail(usage);
}

async function recordInto(into, checkout) {
  const started = performance.now();
  const faults = await record(into, checkout);
  for (const fault of faults) say(`not as its case says: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
  const files = readdirSync(into, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  say(`Recorded ${files.length} files in ${Math.round((performance.now() - started) / 1000)} s: ${into}`);
}

function report(before, after) {
  const { lines, softened } = differences(before, after);
  for (const line of lines) say(line);
  if (softened.length > 0) say(`Soft edges of type alone differ in ${softened.join(', ')}.`);
  say(lines.length === 0 ? 'No difference.' : `${lines.length} files differ.`);
  if (lines.length > 0) process.exitCode = 1;
  return lines.length === 0;
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
