import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBlobStore } from '@cellfolio/bytes';
import { type S3Server, startS3Server } from '@cellfolio/bytes/testing';
import type { Database } from '../database/database.ts';
import { openTestDatabase } from '../database/test-databases.ts';
import { type FileServer, startFileServer } from './testing/file-server.ts';

const MB = 1000 * 1000;
/**
 * File sizes, and the smaller allowed growth of memory. On the way to S3, sender, server and store hold parts of 8 MB
 * in one process, each more than once.
 */
const sizes = {
  'a folder': { total: 70 * MB, allowed: 60 * MB },
  S3: { total: 120 * MB, allowed: 105 * MB },
};
type Place = keyof typeof sizes;
const places = Object.keys(sizes) as Place[];

let database: Database;
let s3: S3Server;
const servers = new Map<Place, FileServer>();
beforeAll(async () => {
  database = await openTestDatabase();
  s3 = await startS3Server();
  servers.set('a folder', await startFileServer(database));
  servers.set('S3', await startFileServer(database, { blobs: await openBlobStore(s3.url) }));
});
afterAll(async () => {
  for (const server of servers.values()) await server.close();
  await servers.get('S3')?.blobs.close();
  await s3?.stop();
  await database?.close();
});

const piece = Buffer.alloc(256 * 1024, 7);

async function send(request: ClientRequest, total: number): Promise<IncomingMessage> {
  for (let sent = 0; sent < total; sent += piece.byteLength) {
    const bytes = sent + piece.byteLength > total ? piece.subarray(0, total - sent) : piece;
    if (!request.write(bytes)) await once(request, 'drain');
  }
  request.end();
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return answer;
}

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;
/** Twice: the buffers found by the first run are freed in the background, and are gone when the second begins. */
const collectGarbage = (): void => {
  gc();
  gc();
};

function usedBytes(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/**
 * Maximum growth of the process's memory during `work`, in bytes. Uncollected garbage, which is larger on a busy
 * machine, is collected before it counts as too much.
 */
async function growthDuring(allowed: number, work: () => Promise<void>): Promise<number> {
  collectGarbage();
  const before = usedBytes();
  let peak = before;
  const timer = setInterval(() => {
    if (usedBytes() - before > allowed) collectGarbage();
    peak = Math.max(peak, usedBytes());
  }, 5);
  await work();
  clearInterval(timer);
  return peak - before;
}

test.each(places)('a large file goes to %s and back through a bounded memory', async (where) => {
  const server = servers.get(where)!;
  const { total, allowed } = sizes[where];
  const name = `${server.userId}/large.h5ad`;
  const path = `/storage/v1/object/user-files/${name}`;
  const growth: Record<string, number> = {};
  const statuses: unknown[] = [];
  growth['raw'] = await growthDuring(allowed, async () => {
    const headers = { ...server.headers, 'content-length': total, 'content-type': 'application/x-hdf5' };
    const request = httpRequest(`${server.url}${path}`, { method: 'PUT', headers });
    statuses.push((await send(request, total)).statusCode);
  });
  // What is read of a form goes the same way as a raw body.
  if (where === 'a folder') {
    growth['form'] = await growthDuring(allowed, async () => {
      const headers = { ...server.headers, 'content-type': 'multipart/form-data; boundary=x' };
      const request = httpRequest(`${server.url}${path}`, { method: 'PUT', headers });
      request.write('--x\r\ncontent-disposition: form-data; name=""; filename="a.h5ad"\r\n\r\n');
      const end = request.end.bind(request);
      request.end = (() => end('\r\n--x--\r\n')) as typeof request.end;
      statuses.push((await send(request, total)).statusCode);
    });
  }
  expect(new Set(statuses)).toEqual(new Set([200]));
  growth['resumable'] = await growthDuring(allowed, async () => {
    const headers = {
      ...server.headers,
      'tus-resumable': '1.0.0',
      'upload-length': String(total),
      'upload-metadata': `bucketName ${btoa('user-files')},objectName ${btoa(name)}`,
      'x-upsert': 'true',
      'content-type': 'application/offset+octet-stream',
      'content-length': total,
    };
    const request = httpRequest(`${server.url}/storage/v1/upload/resumable`, { method: 'POST', headers });
    const answer = await send(request, total);
    expect([answer.statusCode, answer.headers['upload-offset']]).toEqual([201, String(total)]);
  });
  growth['download'] = await growthDuring(allowed, async () => {
    const answer = await fetch(`${server.url}${path}`, { headers: server.headers });
    let received = 0;
    for await (const bytes of answer.body!) received += (bytes as Uint8Array).byteLength;
    expect(received).toBe(total);
  });
  for (const grown of Object.values(growth)) expect(grown).toBeLessThan(allowed);
  if (process.env['SHOW_GROWTH']) console.log(where, growth);
});

test('an unread download applies backpressure, and an aborted one is released', async () => {
  const server = servers.get('a folder')!;
  const path = `/storage/v1/object/user-files/${server.userId}/large.h5ad`;
  const grown = await growthDuring(50 * MB, async () => {
    const request = httpRequest(`${server.url}${path}`, { headers: server.headers });
    request.end();
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    await new Promise((resolve) => setTimeout(resolve, 300));
    answer.destroy();
  });
  expect(grown).toBeLessThan(50 * MB);
});
