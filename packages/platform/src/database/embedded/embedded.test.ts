import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../database.ts';
import { DatabaseVersionError } from '../errors.ts';
import { openDatabase } from '../open-database.ts';
import { newCluster, slowMs, temporaryFolder } from '../test-databases.ts';
import { engineFormat, engineVersion, readClusterFormat } from './cluster-format.ts';
import { DurableNodeFs, UnsyncedFiles } from './durable-node-fs.ts';
import { openEnginePool } from './engine-pool.ts';
import { startParameters } from './engine-messages.ts';
import { engineModule } from './engine-module.ts';
import { Engine } from './engine.ts';
import { Housekeeping } from './open-embedded.ts';

let root: string;
let fresh: string;
let own: string | undefined;
let count = 0;
beforeAll(async () => {
  root = temporaryFolder();
  fresh = await newCluster();
}, slowMs);
afterAll(() => rmSync(root, { recursive: true, force: true }));
const clusterIn = (folder: string): string => join(folder, 'database', 'cluster');
const newDataDir = (): string => {
  const folder = join(root, `data-${++count}`);
  mkdirSync(join(folder, 'database'), { recursive: true });
  cpSync(fresh, clusterIn(folder), { recursive: true });
  return folder;
};
beforeEach(() => {
  own = undefined;
});

const dataDir = (): string => (own ??= newDataDir());
const cluster = (): string => clusterIn(dataDir());

const startEngine = (fs: DurableNodeFs): Promise<PGlite> =>
  PGlite.create({ fs, startParams: [...startParameters], pgliteWasmModule: engineModule() });

async function withDatabase(work: (database: Database, logLines: string[]) => Promise<void>): Promise<void> {
  const logLines: string[] = [];
  const database = await openDatabase({ dataDir: dataDir(), log: (line) => logLines.push(line) });
  try {
    await work(database, logLines);
  } finally {
    await database.close();
  }
}

test('the format that this program expects is the one its engine writes', () => {
  expect(readClusterFormat(fresh)).toEqual(engineFormat);
});

test(
  'the engine runs with every commit synced before it is acknowledged',
  async () => {
    const files = new DurableNodeFs(cluster());
    const engine = await startEngine(files);
    const { rows } = await engine.query<{ name: string; setting: string }>(
      `select name, setting from pg_settings
     where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'wal_sync_method', 'max_wal_size')`,
    );
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      wal_sync_method: 'fsync',
      max_wal_size: '64',
    });
    await engine.exec('create table t (a int)');
    for (let commit = 0; commit < 10; commit++) {
      const before = files.syncs;
      await engine.exec('insert into t values (1)');
      expect(files.syncs).toBe(before + 1);
    }
    const before = files.syncs;
    await engine.exec('checkpoint');
    expect(files.syncs).toBeGreaterThan(before + 5);
    await engine.close();
  },
  slowMs,
);

test(
  'after a crash the files are synced that were written since the last checkpoint, and no others',
  async () => {
    const list = `${cluster()}.unsynced`;
    await withDatabase(async (database) => {
      await database.pool.query('create table kept as select g as n from generate_series(1, 1000) g');
    });
    // Closing wrote a checkpoint.
    expect(readFileSync(list, 'utf8')).toBe('');
    const before = contents(cluster());
    const engine = await startEngine(new DurableNodeFs(cluster(), new UnsyncedFiles(list)));
    await engine.exec('insert into kept select g from generate_series(1001, 2000) g');
    await engine.exec('create table another (a int); insert into another values (1)');
    // The state after a kill, with and without the list of written files.
    const left = [join(root, `left-${count}`), join(root, `left-${count}-unlisted`)] as const;
    for (const folder of left) cpSync(cluster(), folder, { recursive: true });
    cpSync(list, `${left[0]}.unsynced`);
    await engine.close();
    const unsynced = new UnsyncedFiles(`${left[0]}.unsynced`);
    const changed = [...contents(left[0])].filter(([path, bytes]) => !before.get(path)?.equals(bytes));
    expect(changed.length).toBeGreaterThan(5);
    for (const [path] of changed) expect(unsynced.has(path), path).toBe(true);
    const syncs: number[] = [];
    for (const folder of left) {
      const files = new DurableNodeFs(folder, new UnsyncedFiles(`${folder}.unsynced`));
      const recovered = await startEngine(files);
      syncs.push(files.syncs);
      const { rows } = await recovered.query('select count(*)::int as n, (select a from another) from kept');
      expect(rows).toEqual([{ n: 2000, a: 1 }]);
      await recovered.close();
    }
    // Without the list, all files (about a thousand).
    expect(syncs[1]).toBeGreaterThan(before.size);
    expect(syncs[0]).toBeLessThan(before.size / 4);
  },
  slowMs,
);

function contents(folder: string): Map<string, Buffer> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const paths = entries.map((one) => join(one.parentPath, one.name));
  return new Map(paths.map((path) => [relative(folder, path), readFileSync(path)]));
}

test(
  'every commit acknowledged before SIGKILL is there afterwards, and the lock is taken over',
  async () => {
    const script = join(dataDir(), 'writer.mjs');
    const entry = new URL('../open-database.ts', import.meta.url).href;
    writeFileSync(
      script,
      `import { openDatabase } from ${JSON.stringify(entry)};
     const database = await openDatabase({ dataDir: ${JSON.stringify(dataDir())} });
     await database.pool.query('create table kept (n int)');
     for (let n = 1; ; n++) {
       await database.pool.query('insert into kept values ($1)', [n]);
       process.send(n);
     }`,
    );
    const child = fork(script, [], { execArgv: [] });
    let acknowledged = 0;
    child.on('message', (n: number) => {
      acknowledged = n;
      if (n === 50) child.kill('SIGKILL');
    });
    await once(child, 'exit');
    await withDatabase(async (database, logLines) => {
      const { rows } = await database.pool.query<{ n: number }>('select n from kept order by n');
      expect(rows.length).toBeGreaterThanOrEqual(acknowledged);
      expect(rows.map(({ n }) => n)).toEqual(rows.map((_, index) => index + 1));
      expect(logLines[0]).toContain('took over the lock');
    });
    expect(acknowledged).toBeGreaterThanOrEqual(50);
  },
  slowMs,
);

test('a folder of another major version is refused, named, and left unlocked', async () => {
  writeFileSync(join(cluster(), 'PG_VERSION'), '17\n');
  const refusal = await openDatabase({ dataDir: dataDir() }).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(DatabaseVersionError);
  expect((refusal as Error).message).toContain('PostgreSQL 17');
  expect((refusal as Error).message).toContain(`PGlite ${engineVersion()}`);
  expect(existsSync(join(dataDir(), 'database', 'lock'))).toBe(false);
});

test('a folder of another catalogue version is refused too', async () => {
  const control = join(cluster(), 'global', 'pg_control');
  const bytes = readFileSync(control);
  bytes.writeUInt32LE(engineFormat.catalogue + 1, 12);
  writeFileSync(control, bytes);
  await expect(openDatabase({ dataDir: dataDir() })).rejects.toThrow(DatabaseVersionError);
});

test(
  'a first start that was interrupted is made good by the next',
  async () => {
    own = join(root, 'interrupted');
    mkdirSync(`${cluster()}.new`, { recursive: true });
    writeFileSync(join(`${cluster()}.new`, 'PG_VERSION'), '18\n');
    await withDatabase(async (database) => {
      expect((await database.pool.query('select 1 as a')).rows).toEqual([{ a: 1 }]);
    });
    expect(existsSync(`${cluster()}.new`)).toBe(false);
    expect(readClusterFormat(cluster())).toEqual(engineFormat);
  },
  slowMs,
);

test(
  'a folder that cannot be opened is an error, not a wait',
  async () => {
    rmSync(join(cluster(), 'global', 'pg_filenode.map'));
    await expect(openDatabase({ dataDir: dataDir() })).rejects.toThrow('could not be opened');
  },
  slowMs,
);

test.skipIf(process.platform !== 'linux')(
  'an engine that has parsed hundreds of statements has never taken the memory of an optimized parser',
  async () => {
    const child = fork(new URL('./parse-much-child.ts', import.meta.url), [cluster()], {
      execArgv: [],
    });
    const [mebibytes] = (await once(child, 'message')) as [number];
    // About 250 MiB, half of it the engine's; 700 MiB when the optimizing compiler compiles the parser.
    expect(mebibytes).toBeLessThan(450);
  },
  slowMs,
);

function openedForTests(options: { statementTimeoutMs?: number } = {}) {
  const opened = { logLines: [] as string[], dataDir: '', database: undefined as unknown as Database };
  beforeAll(async () => {
    opened.dataDir = newDataDir();
    const log = (line: string): void => void opened.logLines.push(line);
    opened.database = await openDatabase({ dataDir: opened.dataDir, log, ...options });
  }, slowMs);
  afterAll(() => opened.database.close());
  return opened;
}

describe('a database with a limit for statements', { timeout: slowMs }, () => {
  const opened = openedForTests({ statementTimeoutMs: 2_000 });

  test('a statement that takes too long is ended; what was committed stays, and the next statement runs', async () => {
    const { database, logLines } = opened;
    await database.pool.query('create table kept (a int)');
    await database.pool.query('insert into kept values (1)');
    const endless = database.transaction(async (client) => {
      await client.query('insert into kept values (2)');
      await client.query('select count(*) from generate_series(1, 100000000000)');
    });
    await expect(endless).rejects.toMatchObject({ code: '57014' });
    const { rows } = await database.pool.query('select a from kept');
    expect(rows).toEqual([{ a: 1 }]);
    expect(logLines).toEqual([
      expect.stringContaining('restarting the embedded database'),
      expect.stringContaining('lost'),
      expect.stringMatching(/recovered and opened in [\d.]+ s$/),
    ]);
  });

  test('a client that is destroyed during an endless statement does not hold the others up for ever', async () => {
    const { pool } = opened.database;
    const client = await pool.connect();
    const endless = client.query('select pg_sleep(100000)').catch(() => 'cut off');
    client.release(new Error('given up'));
    expect(await endless).toBe('cut off');
    expect((await pool.query('select 1 as a')).rows).toEqual([{ a: 1 }]);
  });

  test('COPY FROM STDIN, which the engine cannot read, fails instead of hanging', async () => {
    const { pool } = opened.database;
    await pool.query('create table t (a int)');
    await expect(pool.query('copy t from stdin')).rejects.toMatchObject({ code: '57P02' });
    expect((await pool.query('select count(*) as n from t')).rows).toEqual([{ n: '0' }]);
  });
});

describe('a database that many use', { timeout: slowMs }, () => {
  const opened = openedForTests();

  test('a second process is refused with a clear message while the first has the database open', async () => {
    await expect(openDatabase({ dataDir: opened.dataDir })).rejects.toThrow(
      `The embedded database in ${join(opened.dataDir, 'database')} is open in process ${process.pid}`,
    );
  });

  test('the event loop runs on while a long statement does', async () => {
    let turns = 0;
    const turning = setInterval(() => turns++, 1);
    await opened.database.pool.query('select count(*) from generate_series(1, 1000000)');
    clearInterval(turning);
    expect(turns).toBeGreaterThan(10);
  });

  test('a caller that waits for the engine comes before later ones, however many keep coming', async () => {
    const { database } = opened;
    const progress = { served: false, others: 0 };
    const comeAgain = async (): Promise<void> => {
      while (!progress.served && progress.others < 500) {
        progress.others += 1;
        await database.transaction(async (client) => client.query('select 1'));
      }
    };
    const crowd = [comeAgain(), comeAgain()];
    await database.pool.query('select 1');
    progress.served = true;
    await Promise.all(crowd);
    expect(progress.others).toBeLessThan(10);
  });

  test('the log is kept short by checkpoints between clients, without waiting for the clock', async () => {
    const { pool } = opened.database;
    await pool.query('create table t (a text)');
    const before = await redo(pool);
    for (let part = 0; part < 6; part++) {
      await pool.query(`insert into t select repeat(md5(g::text), 60) from generate_series(1, 5000) g`);
    }
    expect(await redo(pool)).not.toBe(before);
  });

  test('a caller with a limit of its own costs those who wait behind it nothing but the wait', async () => {
    const { database } = opened;
    await database.pool.query('create role service_role; create table kept as select 1 as a');
    const offender = database.as(
      { role: 'service_role' },
      (client) => client.query('select count(*) from generate_series(1, 100000000000)'),
      { statementTimeoutMs: 300 },
    );
    const began = performance.now();
    const queries = Array.from({ length: 20 }, () => database.pool.query('select a from kept'));
    const ended = offender.catch((error: unknown) => ({ error, after: performance.now() - began }));
    expect(await ended).toMatchObject({ error: { code: '57014' }, after: expect.closeTo(300, -4) });
    for (const { rows } of await Promise.all(queries)) expect(rows).toEqual([{ a: 1 }]);
    // The timeout applied to the caller, not to the connection.
    await database.pool.query('select pg_sleep(0.4)');
  });

  test('a closed database refuses further use', async () => {
    const { database } = opened;
    await database.close();
    await database.close();
    await expect(database.pool.query('select 1')).rejects.toThrow('after calling end on the pool');
    expect(existsSync(join(opened.dataDir, 'database', 'lock'))).toBe(false);
  });
});

const redo = async (pool: Pool): Promise<string> =>
  (await pool.query<{ lsn: string }>('select redo_lsn::text as lsn from pg_control_checkpoint()')).rows[0]!
    .lsn;

describe('an engine and its housekeeping', { timeout: slowMs }, () => {
  const logLines: string[] = [];
  const log = (line: string): void => void logLines.push(line);
  let engine: Engine;
  let engines: ReturnType<typeof openEnginePool>;
  let housekeeping: Housekeeping;
  beforeAll(async () => {
    engine = new Engine({ cluster: clusterIn(newDataDir()), statementTimeoutMs: 60_000, log });
    await engine.ready();
    engines = openEnginePool(engine, 60_000);
    housekeeping = new Housekeeping({ engine, pool: engines.pool, log });
  }, slowMs);
  afterAll(async () => {
    housekeeping.stop();
    await engines.pool.end();
    await engine.close();
    expect(logLines).toEqual([]);
  });

  test('a caller that requests the last place waits behind later ones, until no other waits', async () => {
    const { pool, connectLast } = engines;
    const order: string[] = [];
    const done = (name: string) => () => void order.push(name);
    const last = async (name: string) => {
      const client = await connectLast();
      order.push(name);
      client.release();
    };
    await Promise.all([
      pool.query('select pg_sleep(0.2)').then(done('first')),
      last('last 1'),
      last('last 2'),
      pool.query('select 1').then(done('second')),
      pool.query('select 1').then(done('third')),
    ]);
    expect(order).toEqual(['first', 'second', 'third', 'last 1', 'last 2']);
  });

  test('it checkpoints and vacuums when something was written, and only then', async () => {
    const { pool } = engines;
    await pool.query('create table s as select g as a from generate_series(1, 1000) g');
    const before = await redo(pool);
    expect(await housekeeping.run('checkpoint')).toBe('done');
    expect(await redo(pool)).not.toBe(before);
    expect(await housekeeping.run('checkpoint')).toBe('nothing to do');
    const counted = async (): Promise<number> =>
      (await pool.query<{ n: number }>(`select reltuples::int as n from pg_class where relname = 's'`))
        .rows[0]!.n;
    expect(await counted()).toBe(-1);
    expect(await housekeeping.run('vacuum (analyze)')).toBe('done');
    expect(await counted()).toBe(1000);
  });

  test('an engine whose memory has grown is replaced: what was committed stays, calls that come meanwhile wait, and its memory is small again', async () => {
    const { pool } = engines;
    const usual = await engine.maintain('create table t (a int)');
    expect(await housekeeping.giveBack()).toBe('nothing to do');
    await pool.query(`select octet_length(repeat(repeat('x', 1000000), 150))`);
    expect(await engine.maintain('insert into t values (1)')).toBeGreaterThan(usual);
    const givenBack = housekeeping.giveBack();
    const meanwhile = [2, 3].map((a) => pool.query('insert into t values ($1)', [a]));
    expect(await givenBack).toBe('done');
    await Promise.all(meanwhile);
    expect((await pool.query('select a from t order by a')).rows).toEqual([{ a: 1 }, { a: 2 }, { a: 3 }]);
    expect(await engine.maintain('select 1')).toBe(usual);
    expect(await housekeeping.giveBack()).toBe('nothing to do');
  });
});
