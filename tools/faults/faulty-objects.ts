import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** What goes wrong on the way to the object store; shares are of the requests, between 0 and 1. */
export interface ObjectsWeather {
  /** Every connection ends without an answer. */
  away: boolean;
  /** Requests answered with 500 or 503, and not carried out. */
  errors: number;
  /** Requests carried out whose answer is lost. */
  lost: number;
  /** Answers whose body breaks off in the middle. */
  cut: number;
  /** Milliseconds before a request is passed on. */
  delay: number;
}

const fair: Readonly<ObjectsWeather> = { away: false, errors: 0, lost: 0, cut: 0, delay: 0 };

export interface FaultyObjects {
  readonly endpoint: string;
  readonly weather: ObjectsWeather;
  /** Everything is well again. */
  clear(): void;
  /** Uploads in parts that were neither completed nor given up: their keys by their ids. */
  readonly openUploads: ReadonlyMap<string, string>;
  /** Requests so far, and those among them that were failed. */
  readonly counts: { requests: number; failed: number };
  close(): void;
}

/**
 * A way to a server of S3 that can be failed. Requests are passed on whole or not at all, so that what is cut is the
 * answer. It also knows which uploads in parts are open, and tells, which the server behind it cannot.
 */
export async function startFaultyObjects(behind: string, random: () => number): Promise<FaultyObjects> {
  const weather: ObjectsWeather = { ...fair };
  const openUploads = new Map<string, string>();
  const counts = { requests: 0, failed: 0 };

  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    counts.requests += 1;
    const failed = (): void => void (counts.failed += 1);
    const body = await bodyOf(incoming);
    if (weather.delay > 0) {
      failed();
      await pause(weather.delay * (0.5 + random()));
    }
    if (weather.away) return (failed(), void outgoing.destroy());
    if (random() < weather.errors) {
      failed();
      return random() < 0.5 ? refuse(outgoing, 500, 'InternalError') : refuse(outgoing, 503, 'SlowDown');
    }
    const url = new URL(incoming.url ?? '/', behind);
    const method = incoming.method ?? 'GET';
    if (method === 'GET' && url.searchParams.has('uploads')) return listUploads(openUploads, url, outgoing);
    const answer = await passOn(behind, incoming, body);
    note(openUploads, method, url, answer);
    if (random() < weather.lost) return (failed(), void outgoing.destroy());
    outgoing.writeHead(answer.status, answer.headers);
    if (method === 'GET' && answer.body.length > 1 && random() < weather.cut) {
      failed();
      outgoing.write(answer.body.subarray(0, answer.body.length >> 1), () => outgoing.destroy());
      return;
    }
    outgoing.end(answer.body);
  };
  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    weather,
    clear: () => void Object.assign(weather, fair),
    openUploads,
    counts,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface PassedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

async function passOn(behind: string, incoming: IncomingMessage, body: Buffer): Promise<PassedAnswer> {
  const { expect: _expect, 'transfer-encoding': _encoding, ...headers } = incoming.headers;
  const passed = httpRequest(behind + incoming.url, {
    method: incoming.method ?? 'GET',
    headers: { ...headers, ...(body.length > 0 && { 'content-length': body.length }) },
  });
  passed.end(body);
  const [answer] = (await once(passed, 'response')) as [IncomingMessage];
  return { status: answer.statusCode ?? 502, headers: answer.headers, body: await bodyOf(answer) };
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of message as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}

function note(open: Map<string, string>, method: string, url: URL, { status, body }: PassedAnswer): void {
  const id = url.searchParams.get('uploadId');
  const key = decodeURIComponent(url.pathname).split('/').slice(2).join('/');
  if (method === 'POST' && url.searchParams.has('uploads')) {
    const made = /<UploadId>([^<]+)</.exec(body.toString('utf8'))?.[1];
    if (made !== undefined) open.set(made, key);
  } else if (id !== null && ((method === 'POST' && status === 200) || method === 'DELETE')) open.delete(id);
}

function listUploads(open: ReadonlyMap<string, string>, url: URL, outgoing: ServerResponse): void {
  const prefix = url.searchParams.get('prefix') ?? '';
  const found = [...open]
    .filter(([, key]) => key.startsWith(prefix))
    .map(([id, key]) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`);
  outgoing
    .writeHead(200, { 'content-type': 'application/xml' })
    .end(
      `<?xml version="1.0"?><ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${found.join('')}</ListMultipartUploadsResult>`,
    );
}

function refuse(outgoing: ServerResponse, status: number, code: string): void {
  outgoing
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}
