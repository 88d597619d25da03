import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FileBlobStore } from '@cellfolio/bytes';
import { createUser, type Database, migrate, openDatabase } from '@cellfolio/platform';
import { setPlan } from '@cellfolio/server';
import { runCommand } from '@cellfolio/server/testing';
import {
  passwordCost,
  postgresPrograms,
  productMigrations,
  startPrivatePostgres,
} from '@cellfolio/platform/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, clientVersions } from './clients.ts';
import { allDatabases, embeddedDataFolder, scratchFolder } from './databases.ts';
import { startPlatform } from './platform-server.ts';
const commandLine = fileURLToPath(new URL('../apps/server/src/ops/main.ts', import.meta.url));
const account = { email: 'kept@example.org', password: 'correct horse' };
const secrets = { email: 'other@example.org', password: 'other horse' };
const { make } = clientVersions[0]!;
const slowMs = 120_000;

interface Place {
  environment: { DATA_DIR: string; DATABASE_URL: string };
  remove(): Promise<void>;
}

const programs = postgresPrograms();

async function newPlace(kind: 'embedded' | 'PostgreSQL'): Promise<Place> {
  if (kind === 'embedded') {
    const dataDir = await embeddedDataFolder();
    return {
      environment: { DATA_DIR: dataDir, DATABASE_URL: '' },
      remove: () => rm(dirname(dataDir), { recursive: true, force: true }),
    };
  }
  const [folder, server] = [await scratchFolder(), await startPrivatePostgres(programs!)];
  return {
    environment: { DATA_DIR: folder, DATABASE_URL: server.url },
    remove: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const variablesOf = ({ environment }: Place) => ({ OBJECT_STORE_URL: '', ...environment });

async function cellfolio(place: Place, ...words: string[]) {
  const env = { ...process.env, ...variablesOf(place) };
  const child = spawn(process.execPath, [commandLine, ...words], { env });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

const refusalOf = (place: Place, ...words: string[]) => runCommand(words, variablesOf(place));

interface Installation {
  database: Database;
  client: Client;
  issuer: string;
  close(): Promise<void>;
}

async function open({ environment: { DATA_DIR, DATABASE_URL } }: Place): Promise<Installation> {
  const database = await openDatabase({
    dataDir: DATABASE_URL === '' ? DATA_DIR : tmpdir(),
    ...(DATABASE_URL !== '' && { url: DATABASE_URL }),
  });
  await migrate(database, productMigrations);
  const blobs = new FileBlobStore(join(DATA_DIR, 'objects'));
  const server = await startPlatform(database, {}, { storage: { blobs, settings: { sweepSeconds: 0 } } });
  return {
    database,
    client: make(server.url, server.keys.publishableKey),
    issuer: server.issuer,
    close: async () => {
      await server.close();
      await database.close();
    },
  };
}

const kinds = allDatabases.map(({ name }) => name);

describe.each(kinds)('an installation on the %s database', (kind) => {
  /** The other kind of database if available, so that both directions are tested. */
  const otherKind = kinds.find((one) => one !== kind) ?? kind;
  const bytes = randomBytes(300_000);
  const dataset = 'objects/datasets/small study.h5ad/manifest.json';
  let place: Place;
  let target: Place;
  let backup: string;
  let scratch: string;
  let user: string;
  let refreshToken: string;
  let installation: Installation | undefined;

  beforeAll(async () => {
    scratch = await scratchFolder();
    backup = join(scratch, 'backup');
    place = await newPlace(kind);
    target = await newPlace(otherKind);
    installation = await open(place);
    const { database, client } = installation;
    for (const one of [account, secrets]) {
      await createUser(database, { ...one, confirmed: true, passwordCost });
      await setPlan(database, one.email, 'Professional');
    }
    const { data } = await client.auth.signInWithPassword(account);
    user = data.user!.id;
    refreshToken = data.session!.refresh_token;
    const row = { user_id: user, subset_name: 'T cells "x"', percentile: 0.1 };
    expect((await client.from('subset_metadata').insert(row as never)).error).toBeNull();
    await client.storage.from('user-files').upload(`${user}/1_kept.h5ad`, bytes);
    const path = join(place.environment.DATA_DIR, dataset);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, '{"simulated":true}');
  });
  afterAll(async () => {
    await installation?.close();
    await place?.remove();
    await target?.remove();
    await rm(scratch, { recursive: true, force: true });
  });

  const stoppedAndBackedUp = async () => {
    const before = await cellfolio(place, 'backup', backup);
    await installation!.close();
    installation = undefined;
    return { before, backup: await cellfolio(place, 'backup', backup) };
  };
  /** Takes a backup while files are added and deleted: it must contain each file with its row, or neither. */
  const backedUpAtWork = async () => {
    const files = installation!.client.storage.from('user-files');
    const over = new AbortController();
    const busy = (async () => {
      for (let count = 0; !over.signal.aborted; count += 1) {
        await files.upload(`${user}/busy-${count}.tsv`, randomBytes(20_000));
        if (count % 2 === 0) await files.remove([`${user}/busy-${count}.tsv`]);
      }
    })();
    const ended = await cellfolio(place, 'backup', backup);
    over.abort();
    await busy;
    return { before: { code: undefined, err: '' }, backup: ended };
  };

  test(
    'can be backed up: on PostgreSQL while it is used, on the embedded database with its server stopped',
    async () => {
      const ended = await (kind === 'embedded' ? stoppedAndBackedUp() : backedUpAtWork());
      // The embedded database can be open in one process only.
      const refused = expect.stringMatching(`open in process ${process.pid}.*Stop that process first`);
      const expected = { embedded: { code: 1, err: refused }, PostgreSQL: { code: undefined, err: '' } };
      expect(ended.before).toMatchObject(expected[kind]);
      expect(ended.backup).toMatchObject({ code: 0 });
      // It is readable for its owner only.
      expect((await stat(backup)).mode & 0o077).toBe(0);
      const again = await refusalOf(place, 'backup', backup);
      expect(again).toMatchObject({ code: 5, err: expect.stringContaining('already exists') });
    },
    slowMs,
  );

  test(
    'a damaged backup is refused and changes nothing',
    async () => {
      const list = await readFile(join(backup, 'backup.jsonl'), 'utf8');
      await writeFile(join(backup, 'backup.jsonl'), list.slice(0, -10));
      const refused = await refusalOf(target, 'restore', backup, '--json');
      await writeFile(join(backup, 'backup.jsonl'), list);
      expect(refused.code).toBe(6);
      expect(JSON.parse(refused.out)).toMatchObject({
        error: { code: 'BackupDamaged', part: 'backup.jsonl' },
      });
    },
    slowMs,
  );

  test(
    'can be restored with the other kind of database: accounts, sessions, rows and files are there',
    async () => {
      const restored = await cellfolio(target, 'restore', backup, '--json');
      expect(restored).toMatchObject({ code: 0 });
      expect(JSON.parse(restored.out).restored.datasetFiles).toBe(1);
      expect(await readFile(join(target.environment.DATA_DIR, dataset), 'utf8')).toBe('{"simulated":true}');
      const other = await open(target);
      try {
        const { data, error } = await other.client.auth.signInWithPassword(account);
        expect(error).toBeNull();
        expect(data.user?.id).toBe(user);
        const { data: rows } = await other.client.from('subset_metadata').select('subset_name, percentile');
        expect(rows).toEqual([{ subset_name: 'T cells "x"', percentile: 0.1 }]);
        const files = other.client.storage.from('user-files');
        const restored = await files.download(`${user}/1_kept.h5ad`);
        expect(Buffer.compare(Buffer.from(await restored.data!.arrayBuffer()), bytes)).toBe(0);
        // Every row of a file has its bytes.
        const { data: listed } = await files.list(user);
        for (const { name } of listed!) {
          expect([name, (await files.download(`${user}/${name}`)).error]).toEqual([name, null]);
        }
        const goneOn = await other.client.auth.refreshSession({ refresh_token: refreshToken });
        expect(goneOn.error).toBeNull();
      } finally {
        await other.close();
      }
    },
    slowMs,
  );

  test(
    'an installation in use refuses a restore and keeps its data',
    async () => {
      const refused = await refusalOf(target, 'restore', backup);
      expect(refused).toMatchObject({ code: 5, err: expect.stringContaining('empty installation only') });
      const other = await open(target);
      expect((await other.client.auth.signInWithPassword(secrets)).error).toBeNull();
      await other.close();
    },
    slowMs,
  );
});
