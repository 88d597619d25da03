import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { download, type Downloaded, type DownloadOptions } from './download.ts';

export const content = Buffer.from(Array.from({ length: 200_000 }, (_, at) => (at * 31) % 251));

export type Answer = (request: IncomingMessage, response: ServerResponse, nth: number) => void;

export interface ServerWithFaults {
  folder: string;
  reservations: string;
  server: Server;
  origin: string;
  ranges: (string | undefined)[];
  answer: Answer;
  fetched(path?: string, more?: Partial<DownloadOptions>): Promise<Downloaded>;
}

export function serverWithFaults(): ServerWithFaults {
  const at = {
    fetched: (path = '/a%20file.h5ad', more: Partial<DownloadOptions> = {}) =>
      download(at.origin + path, at.folder, {
        signal: new AbortController().signal,
        pauses: [1, 1],
        reservations: at.reservations,
        ...more,
      }),
  } as { -readonly [K in keyof ServerWithFaults]: ServerWithFaults[K] };
  beforeEach(async () => {
    at.folder = await mkdtemp(join(tmpdir(), 'cellfolio-download-'));
    at.reservations = `${at.folder}-reserved`;
    at.ranges = [];
    at.server = createServer((request, response) => {
      at.ranges.push(request.headers.range);
      at.answer(request, response, at.ranges.length);
    });
    await new Promise<void>((done) => void at.server.listen(0, '127.0.0.1', done));
    at.origin = `http://127.0.0.1:${(at.server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    at.server.closeAllConnections();
    at.server.close();
    await rm(at.folder, { recursive: true, force: true });
    await rm(at.reservations, { recursive: true, force: true });
  });
  return at;
}

/** Responds with the requested rest, or breaks the connection after `upTo` bytes. */
export function serve(
  { headers }: IncomingMessage,
  response: ServerResponse,
  upTo = Infinity,
  etag = '"one"',
) {
  const from = headers['if-range'] === etag ? Number(/\d+/.exec(headers.range ?? '')?.[0] ?? 0) : 0;
  const rest = content.subarray(from);
  response.writeHead(from > 0 ? 206 : 200, {
    etag,
    'content-length': rest.length,
    ...(from > 0 && { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` }),
  });
  // Not at once: the connection would lose what has just been written.
  response.write(rest.subarray(0, upTo), () =>
    upTo < rest.length ? setTimeout(() => response.destroy(), 100) : response.end(),
  );
}
