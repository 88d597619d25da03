import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { paths } from '../paths.ts';
import type { MeasuredCapacity, ReplicaFigures } from './scale-model.ts';
import { scaleTables, withTables } from './scale-page.ts';

// Makes the tables of docs/scale.md anew. With the folder where the cases `capacity` and `replicas` left what they
// measured, from that, which is kept beside this file:
//     node bench/src/capacity/write-scale.ts [FOLDER]
const [folder] = process.argv.slice(2);
if (folder !== undefined) await keep(folder);
const measured = (await readJson(paths.measuredCapacity)) as MeasuredCapacity;
await writeFile(paths.scalePage, withTables(await readFile(paths.scalePage, 'utf8'), scaleTables(measured)));

async function keep(from: string): Promise<void> {
  const capacity = (await readJson(join(from, 'capacity.json'))) as MeasuredCapacity;
  const file = join(from, 'replicas.json');
  const replicas = existsSync(file) ? ((await readJson(file)) as ReplicaFigures) : undefined;
  const all: MeasuredCapacity = { ...capacity, ...(replicas && { replicas }) };
  const style = await resolveConfig(paths.measuredCapacity);
  const text = await format(JSON.stringify(all, rounded), { ...style, parser: 'json' });
  await writeFile(paths.measuredCapacity, text);
}

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8')) as unknown;
}

/** What nobody measures as exactly is not written down. */
function rounded(_key: string, value: unknown): unknown {
  if (typeof value !== 'number' || Number.isInteger(value)) return value;
  return Number(value.toPrecision(4));
}
