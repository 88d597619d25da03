import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { rm } from 'node:fs/promises';
import { FileBlobStore } from '@cellfolio/bytes';
import { userFileBuckets } from '@cellfolio/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allDatabases, scratchFolder } from './databases.ts';
import { type PlatformServer, startPlatform } from './platform-server.ts';
import { type Person, type StorageWorld, storageWorld } from './storage-world.ts';
const bucket = 'user-files';

// PostgreSQL only: the embedded database serves one process.
describe.each(allDatabases.filter(({ name }) => name !== 'embedded'))(
  'two servers over one $name',
  ({ open }) => {
    let opened: Awaited<ReturnType<typeof open>>;
    let world: StorageWorld;
    let folder: string;
    let servers: PlatformServer[] = [];
    let owner: Person;
    beforeAll(async () => {
      opened = await open();
      world = await storageWorld(opened.database);
      owner = await world.person('Professional');
      folder = await scratchFolder();
      const storage = {
        blobs: new FileBlobStore(folder),
        buckets: userFileBuckets({ quotaBytes: 200e9, objects: 2000 }),
        settings: { sweepSeconds: 0, leaseSeconds: 2 },
      };
      servers = [
        await startPlatform(opened.database, {}, { storage }),
        await startPlatform(opened.database, {}, { storage }),
      ];
    });
    afterAll(async () => {
      for (const server of servers) await server.close();
      await world?.close();
      await opened?.close();
      if (folder) await rm(folder, { recursive: true, force: true });
    });

    const headers = () => ({ apikey: world.server.keys.publishableKey, 'tus-resumable': '1.0.0' });
    /** A token for each server, as tokens contain the address. */
    const tokenAt = async (server: PlatformServer): Promise<string> => {
      const answer = await fetch(`${server.url}/auth/v1/token?grant_type=password`, {
        method: 'POST',
        headers: { apikey: server.keys.publishableKey, 'content-type': 'application/json' },
        body: JSON.stringify({ email: owner.email, password: 'correct horse' }),
      });
      return ((await answer.json()) as { access_token: string }).access_token;
    };

    test('an upload can be resumed at the other server, also while the first still has it open', async () => {
      const [first, second] = servers as [PlatformServer, PlatformServer];
      const tokens = [await tokenAt(first), await tokenAt(second)];
      const bytes = randomBytes(600_000);
      const name = `${owner.id}/shared.h5ad`;
      const begun = await fetch(`${first.url}/storage/v1/upload/resumable`, {
        method: 'POST',
        headers: {
          ...headers(),
          authorization: `Bearer ${tokens[0]}`,
          'upload-length': String(bytes.byteLength),
          'upload-metadata': `bucketName ${btoa(bucket)},objectName ${btoa(name)}`,
        },
      });
      const path = new URL(begun.headers.get('location')!).pathname;
      const hanging = httpRequest(first.url + path, {
        method: 'PATCH',
        headers: {
          ...headers(),
          authorization: `Bearer ${tokens[0]}`,
          'upload-offset': '0',
          'content-type': 'application/offset+octet-stream',
          'content-length': bytes.byteLength,
        },
      });
      hanging.on('error', () => {});
      await new Promise((resolve) => hanging.write(bytes.subarray(0, 200_000), resolve));
      const isLocked = async () =>
        (await opened.database.pool.query('select 1 from storage.uploads where lock_holder is not null')).rows
          .length > 0;
      while (!(await isLocked())) await new Promise((resolve) => setTimeout(resolve, 10));

      const headResponse = await fetch(second.url + path, { method: 'HEAD', headers: headers() });
      const offset = Number(headResponse.headers.get('upload-offset'));
      expect([headResponse.status, offset]).toEqual([200, 200_000]);
      const rest = await fetch(second.url + path, {
        method: 'PATCH',
        headers: {
          ...headers(),
          authorization: `Bearer ${tokens[1]}`,
          'upload-offset': String(offset),
          'content-type': 'application/offset+octet-stream',
        },
        body: new Uint8Array(bytes.subarray(offset)),
      });
      expect(rest.status).toBe(204);
      hanging.destroy();
      for (const [index, server] of servers.entries()) {
        const answer = await fetch(`${server.url}/storage/v1/object/${bucket}/${name}`, {
          headers: { ...headers(), authorization: `Bearer ${tokens[index]}` },
        });
        expect(Buffer.compare(Buffer.from(await answer.arrayBuffer()), bytes)).toBe(0);
      }
    });

    test('the quota is shared by both', async () => {
      const tokens = await Promise.all(servers.map(tokenAt));
      await opened.database.pool.query('delete from storage.objects');
      const sizes = Array.from({ length: 12 }, (_, index) => index);
      const answers = await Promise.all(
        sizes.map((index) =>
          fetch(`${servers[index % 2]!.url}/storage/v1/upload/resumable`, {
            method: 'POST',
            headers: {
              ...headers(),
              authorization: `Bearer ${tokens[index % 2]}`,
              'upload-length': String(30 * 10 ** 9),
              'upload-metadata': `bucketName ${btoa(bucket)},objectName ${btoa(`${owner.id}/${index}.h5ad`)}`,
            },
          }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([
        ...Array(6).fill(201),
        ...Array(6).fill(413),
      ]);
    });
  },
);
