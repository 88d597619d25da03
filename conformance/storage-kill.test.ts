import { type ChildProcess, fork } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrate, openDatabase, setPlan } from '@cellfolio/platform';
import { describe, expect, test } from 'vitest';
import { postgresPrograms, startPrivatePostgres } from './private-postgres.ts';

/** More of them, for a long run: KILL_ROUNDS=200. */
const rounds = Number(process.env['KILL_ROUNDS'] ?? 3);
const bucket = 'user-files';
const child = fileURLToPath(new URL('./storage-server-child.ts', import.meta.url));
const migrations = fileURLToPath(new URL('../supabase/migrations', import.meta.url));
const account = { email: 'kill@example.org', password: 'correct horse' };
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

interface Running {
  readonly process: ChildProcess;
  readonly url: string;
  readonly key: string;
}

async function start(folder: string, database: string | undefined): Promise<Running> {
  const started = fork(child, database === undefined ? [folder] : [folder, database], { stdio: 'ignore' });
  const [message] = (await Promise.race([
    once(started, 'message'),
    once(started, 'exit').then(([code]) => Promise.reject(new Error(`The server ended with ${code}.`))),
  ])) as [{ url: string; key: string }];
  return { process: started, ...message };
}

async function signIn(
  { url, key }: Running,
  grant: string,
): Promise<{ id: string; headers: Record<string, string> }> {
  const answer = await fetch(`${url}/auth/v1/${grant}`, {
    method: 'POST',
    headers: { apikey: key, 'content-type': 'application/json' },
    body: JSON.stringify(account),
  });
  const { access_token, user } = (await answer.json()) as { access_token: string; user: { id: string } };
  return { id: user.id, headers: { apikey: key, authorization: `Bearer ${access_token}` } };
}

/** The lease of a killed server runs out by itself; until then a client hears that the upload is locked, and asks again. */
async function askUntilFree(address: string): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    const asked = await fetch(address, { method: 'HEAD', headers: { 'tus-resumable': '1.0.0' } });
    if (asked.status !== 423 || attempt === 60) return asked;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

const kinds = postgresPrograms() ? ['embedded', 'PostgreSQL'] : ['embedded'];

describe.each(kinds)('a server on the %s database that is killed while files come in', (kind) => {
  test(
    `M55 has lost nothing that it acknowledged, ${rounds} times over, and leaves nothing behind`,
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'cellfolio-kill-'));
      const postgres = kind === 'embedded' ? undefined : await startPrivatePostgres(postgresPrograms()!);
      let running: Running | undefined;
      try {
        running = await start(folder, postgres?.url);
        await signIn(running, 'signup');
        await stop(running);
        const database = await openDatabase({ dataDir: folder, ...(postgres && { url: postgres.url }) });
        await migrate(database, migrations);
        await setPlan(database, account.email, 'Professional');
        await database.close();

        const acknowledged = new Map<string, string>();
        const large = randomBytes(3_000_000);
        let uploadPath: string | undefined;
        let accepted = 0;
        for (let round = 0; round < rounds; round += 1) {
          running = await start(folder, postgres?.url);
          const { url } = running;
          const { id, headers } = await signIn(running, 'token?grant_type=password');
          const object = (name: string) => `${url}/storage/v1/object/${bucket}/${name}`;
          const killed = new AbortController();
          const keepStoring = async (lane: number): Promise<void> => {
            for (let count = 0; !killed.signal.aborted; count += 1) {
              const name = `${id}/${round}-${lane}-${count}.tsv`;
              const bytes = randomBytes(50_000);
              const answer = await fetch(object(name), { method: 'POST', headers, body: bytes });
              if (answer.status === 200) acknowledged.set(name, sha256(bytes));
            }
          };
          const tus = { ...headers, 'tus-resumable': '1.0.0' };
          const keepResuming = async (): Promise<void> => {
            if (uploadPath === undefined) {
              const metadata = `bucketName ${btoa(bucket)},objectName ${btoa(`${id}/large.h5ad`)}`;
              const created = await fetch(`${url}/storage/v1/upload/resumable`, {
                method: 'POST',
                headers: { ...tus, 'upload-length': String(large.byteLength), 'upload-metadata': metadata },
              });
              uploadPath = new URL(created.headers.get('location')!).pathname;
            }
            for (;;) {
              const asked = await fetch(url + uploadPath, { method: 'HEAD', headers: tus });
              const offset = Number(asked.headers.get('upload-offset'));
              // What it once said to have, it has.
              if (offset < accepted) throw new Error(`${offset} bytes are left of ${accepted}`);
              if (killed.signal.aborted || offset === large.byteLength) return;
              const answer = await fetch(url + uploadPath, {
                method: 'PATCH',
                headers: {
                  ...tus,
                  'upload-offset': String(offset),
                  'content-type': 'application/offset+octet-stream',
                },
                body: large.subarray(offset, offset + 20_000),
              });
              if (answer.status === 204) accepted = Number(answer.headers.get('upload-offset'));
            }
          };
          const before = acknowledged.size;
          const lost: string[] = [];
          const quietly = (error: unknown) =>
            void (String(error).includes('are left of') && lost.push(String(error)));
          const work = Promise.all(
            [...[0, 1, 2].map((lane) => keepStoring(lane)), keepResuming()].map((one) => one.catch(quietly)),
          );
          // In the midst of it: after some have been acknowledged, at another place each time.
          while (acknowledged.size < before + 5 + 3 * round)
            await new Promise((resolve) => setTimeout(resolve, 3));
          running.process.kill('SIGKILL');
          await once(running.process, 'exit');
          killed.abort();
          await work;
          expect(lost).toEqual([]);
        }

        running = await start(folder, postgres?.url);
        const { headers } = await signIn(running, 'token?grant_type=password');
        for (const [name, digest] of acknowledged) {
          const answer = await fetch(`${running.url}/storage/v1/object/${bucket}/${name}`, { headers });
          expect([name, answer.status, sha256(new Uint8Array(await answer.arrayBuffer()))]).toEqual([
            name,
            200,
            digest,
          ]);
        }
        const asked = await askUntilFree(running.url + uploadPath!);
        const offset = Number(asked.headers.get('upload-offset'));
        expect(offset).toBeGreaterThanOrEqual(accepted);
        const rest = await fetch(running.url + uploadPath!, {
          method: 'PATCH',
          headers: {
            ...headers,
            'tus-resumable': '1.0.0',
            'upload-offset': String(offset),
            'content-type': 'application/offset+octet-stream',
          },
          body: large.subarray(offset),
        });
        expect(rest.status).toBe(204);
        running.process.send('count');
        const [counted] = (await once(running.process, 'message')) as [Record<string, number>];
        expect(counted).toEqual({
          orphans: 0,
          uploads: 0,
          dead: 0,
          files: counted['objects'],
          objects: counted['objects'],
        });
        expect(counted['objects']).toBeGreaterThan(acknowledged.size);
      } finally {
        if (running) await stop(running);
        await postgres?.stop();
        await rm(folder, { recursive: true, force: true });
      }
    },
    (rounds + 2) * 60_000,
  );
});

async function stop({ process: started }: Running): Promise<void> {
  if (started.exitCode !== null || started.signalCode !== null) return;
  started.kill('SIGKILL');
  await once(started, 'exit');
}
