import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import fastify from 'fastify';
import { type BlobStore, FileBlobStore } from '@cellfolio/bytes';
import { grantProfessional, passwordCost } from '../../database/test-databases.ts';
import { createUser } from '../../auth/create-user.ts';
import type { Database } from '../../database/database.ts';
import { platformPlugin } from '../../platform-plugin.ts';
import type { BucketRules, StorageSettingsInput } from '../storage-context.ts';

const publishableKey = 'sb_publishable_test';
const password = 'correct horse';
let people = 0;

export type Body = NonNullable<RequestInit['body']>;

export interface FileServer {
  url: string;
  blobs: BlobStore;
  userId: string;
  headers: Record<string, string>;
  files: ReturnType<ReturnType<typeof createClient>['storage']['from']>;
  packed: readonly string[];
  /** Names of all files in the folder, including unfinished ones; only with blobs in the default folder. */
  stored(): Promise<string[]>;
  call(
    method: string,
    path: string,
    init?: { body?: Body; headers?: Record<string, string> },
  ): Promise<Response>;
  close(): Promise<void>;
}

export const bucketRules: BucketRules = {
  extensions: ['mtx', 'tsv', 'h5ad', 'mtx.gz', 'tsv.gz'],
  folderQuotaBytes: 200 * 10 ** 9,
  folderObjects: 2000,
  folderUploads: 6000,
};

interface FileServerOptions {
  blobs?: BlobStore;
  settings?: StorageSettingsInput;
  rules?: BucketRules;
}

export async function startFileServer(
  database: Database,
  { blobs, settings = {}, rules }: FileServerOptions = {},
): Promise<FileServer> {
  const folder = await mkdtemp(join(tmpdir(), 'cellfolio-files-'));
  const store = blobs ?? new FileBlobStore(folder);
  const app = fastify({ forceCloseConnections: true });
  const packed: string[] = [];
  // What a compression plugin would see.
  app.addHook('onRoute', (route) => {
    const { compress, decompress } = route as { compress?: boolean; decompress?: boolean };
    if (compress !== false || decompress !== false) packed.push(`${String(route.method)} ${route.url}`);
  });
  const url = 'http://cells.example.org';
  await app.register(platformPlugin, {
    database,
    siteUrl: url,
    publicUrl: url,
    publishableKey,
    secretKey: 'sb_secret_test',
    settings: { rateLimits: false, passwordCost },
    storage: {
      blobs: store,
      settings: { sweepSeconds: 0, ...settings },
      buckets: new Map([['user-files', { ...bucketRules, ...rules }]]),
    },
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const at = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const email = `files${(people += 1)}.${process.pid}@example.org`;
  const { id } = await createUser(database, { email, password, confirmed: true, passwordCost });
  await grantProfessional(database, email);
  const client = createClient(at, publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  });
  const { data, error } = await client.auth.signInWithPassword({ email, password });
  if (error) throw error;
  const headers = { apikey: publishableKey, authorization: `Bearer ${data.session.access_token}` };
  return {
    url: at,
    blobs: store,
    userId: id,
    headers,
    files: client.storage.from('user-files'),
    packed,
    stored: async () =>
      (await readdir(folder, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name)
        .sort(),
    call: (method, path, { body, headers: more } = {}) =>
      fetch(`${at}/storage/v1${path}`, {
        method,
        headers: { ...headers, ...more },
        ...(body !== undefined && { body, duplex: 'half' }),
      }),
    close: async () => {
      await app.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
