import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newCluster, slowMs, temporaryFolder } from '../test-databases.ts';
import { DurableNodeFs } from './durable-node-fs.ts';
import { startParameters } from './engine-messages.ts';
import { engineModule } from './engine-module.ts';
import { RecordingFs } from './recording-fs.ts';

let root: string;
let fresh: string;
beforeAll(async () => {
  root = temporaryFolder();
  fresh = await newCluster();
}, slowMs);
afterAll(() => rmSync(root, { recursive: true, force: true }));

const startEngine = (fs: DurableNodeFs, parameters: readonly string[]): Promise<PGlite> =>
  PGlite.create({ fs, startParams: [...parameters], pgliteWasmModule: engineModule() });

async function run(name: string, honest: boolean): Promise<{ folder: string; acknowledged: number }[]> {
  const folder = join(root, name);
  cpSync(fresh, folder, { recursive: true });
  const files = new RecordingFs(folder, { start: fresh, honest });
  const parameters = honest ? startParameters : PGlite.defaultStartParams;
  const engine = await startEngine(files, parameters);
  const cuts: { folder: string; acknowledged: number }[] = [];
  const cut = (acknowledged: number): void => {
    const after = join(root, `${name}-${cuts.length}`);
    files.cut(after);
    cuts.push({ folder: after, acknowledged });
  };
  await engine.exec('create table kept (n int primary key, filler text)');
  cut(0);
  let n = 0;
  const commit = async (rows: number): Promise<void> => {
    for (const end = n + rows; n < end; n++) {
      await engine.query(`insert into kept values ($1, repeat('x', 2000))`, [n]);
    }
  };
  await commit(40);
  cut(n);
  await engine.exec('checkpoint');
  cut(n);
  await commit(40);
  // Fills several segments of the log, so that files are made, renamed and used again.
  await engine.exec(
    `create table filler as select repeat(md5(g::text), 60) as t from generate_series(1, 20000) g`,
  );
  await engine.exec('checkpoint');
  await engine.exec('vacuum kept');
  await commit(10);
  cut(n);
  await engine.close();
  return cuts;
}

async function rowsAfter(folder: string): Promise<number[]> {
  const engine = await startEngine(new DurableNodeFs(folder), startParameters);
  try {
    const { rows } = await engine.query<{ n: number }>('select n from kept order by n');
    return rows.map(({ n }) => n);
  } finally {
    await engine.close();
  }
}

test('after a power cut the database opens and has every commit that was acknowledged', async () => {
  for (const { folder, acknowledged } of await run('honest', true)) {
    expect(await rowsAfter(folder)).toEqual(Array.from({ length: acknowledged }, (_, n) => n));
  }
});

test('the same power cuts lose commits of the unpatched engine, so they are realistic', async () => {
  const cuts = await run('as-shipped', false);
  const last = cuts.at(-1)!;
  const rows = await rowsAfter(last.folder).catch(() => []);
  expect(rows.length).toBeLessThan(last.acknowledged);
});
