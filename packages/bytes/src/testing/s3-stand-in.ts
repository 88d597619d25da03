import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { S3Location } from '../s3/s3-url.ts';

export interface S3Call {
  readonly method: string;
  readonly key: string;
  readonly range: string | undefined;
  readonly query: URLSearchParams;
}

/**
 * `hang`: no response; `reset`: the connection breaks before the work, `lost`: after it; `cut`: within the body; a
 * number: that status.
 */
export type S3Fault = 'hang' | 'reset' | 'lost' | 'cut' | number | undefined;

/** An in-memory S3 server in the process of the test: counts requests, and fails on demand. */
export interface S3StandIn {
  readonly location: S3Location;
  readonly calls: S3Call[];
  readonly objects: Map<string, StoredObject>;
  readonly unfinished: Map<string, Map<number, Buffer>>;
  fault: (call: S3Call) => S3Fault | Promise<S3Fault>;
  /** Support of conditional writes: `ignored` as by old servers, `refused` as by some. */
  conditions: 'kept' | 'ignored' | 'refused';
  sent: number;
  close(): Promise<void>;
}

interface StoredObject {
  bytes: Buffer;
  tag: string;
  changedAt: Date;
}

const bucket = 'cells';
const prefix = 'some/where/';
const pageSize = 20;

export async function startS3StandIn(): Promise<S3StandIn> {
  const server = createServer((request, response) => {
    answer(standIn, request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const standIn: S3StandIn = {
    location: {
      bucket,
      prefix,
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      region: 'us-east-1',
      credentials: { accessKeyId: 'KEY', secretAccessKey: 'SECRET' },
      forcePathStyle: true,
    },
    calls: [],
    objects: new Map(),
    unfinished: new Map(),
    fault: () => undefined,
    conditions: 'kept',
    sent: 0,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return standIn;
}

const tagOf = (bytes: Uint8Array) => `"${createHash('md5').update(bytes).digest('hex')}"`;

async function answer(s3: S3StandIn, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '', 'http://s3');
  const path = decodeURIComponent(url.pathname).slice(`/${bucket}/`.length);
  const query = url.searchParams;
  const call: S3Call = {
    method: request.method ?? '',
    key: (path || (query.get('prefix') ?? '')).slice(prefix.length),
    range: request.headers.range,
    query,
  };
  s3.calls.push(call);
  const body = await bodyOf(request);
  const fault = await s3.fault(call);
  if (fault === 'hang') return;
  if (fault === 'reset') return void request.socket.destroy();
  if (fault === 'lost') response.writeHead = () => (request.socket.destroy(), response);
  if (typeof fault === 'number')
    return refuse(response, fault, fault === 403 ? 'AccessDenied' : 'InternalError');
  if (url.pathname === `/${bucket}/` || url.pathname === `/${bucket}`) {
    return query.has('uploads') ? listUploads(s3, query, response) : list(s3, query, response);
  }
  switch (call.method) {
    case 'GET':
    case 'HEAD':
      return read(s3, call, response, fault === 'cut');
    case 'PUT':
    case 'POST':
      return write(s3, call, request, body, response);
    case 'DELETE': {
      const upload = query.get('uploadId');
      if (upload === null) s3.objects.delete(call.key);
      else s3.unfinished.delete(upload);
      return void response.writeHead(204).end();
    }
    default:
      return refuse(response, 405, 'MethodNotAllowed');
  }
}

function read(s3: S3StandIn, { key, range, method }: S3Call, response: ServerResponse, cut: boolean): void {
  const object = s3.objects.get(key);
  if (!object) return refuse(response, 404, 'NoSuchKey');
  const size = object.bytes.length;
  const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  if (range && Number(from) >= size) return refuse(response, 416, 'InvalidRange');
  const end = to === '' ? size : Math.min(size, Number(to) + 1);
  const bytes = object.bytes.subarray(Number(from), end);
  response.writeHead(range ? 206 : 200, {
    'content-length': bytes.length,
    etag: object.tag,
    'last-modified': object.changedAt.toUTCString(),
    ...(range && { 'content-range': `bytes ${from}-${end - 1}/${size}` }),
  });
  if (method === 'HEAD') return void response.end();
  if (!cut) {
    s3.sent += bytes.length;
    return void response.end(bytes);
  }
  response.write(bytes.subarray(0, bytes.length >> 1), () => response.socket?.destroy());
}

function write(
  s3: S3StandIn,
  { key, query }: S3Call,
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): void {
  const upload = query.get('uploadId');
  if (query.has('uploads')) {
    const id = `upload-${s3.calls.length}-${key}`;
    s3.unfinished.set(id, new Map());
    return xml(
      response,
      `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    );
  }
  if (upload !== null) {
    const parts = s3.unfinished.get(upload);
    if (!parts) return refuse(response, 404, 'NoSuchUpload');
    if (request.method === 'PUT') {
      parts.set(Number(query.get('partNumber')), body);
      return void response.writeHead(200, { etag: tagOf(body) }).end();
    }
    const numbers = [...parts.keys()].sort((a, b) => a - b);
    store(s3, key, Buffer.concat(numbers.map((number) => parts.get(number) ?? Buffer.alloc(0))));
    s3.unfinished.delete(upload);
    return xml(response, '<CompleteMultipartUploadResult><ETag>"x"</ETag></CompleteMultipartUploadResult>');
  }
  const { 'if-none-match': none, 'if-match': match } = request.headers;
  if (s3.conditions === 'refused' && (none ?? match)) return refuse(response, 501, 'NotImplemented');
  if (s3.conditions === 'kept') {
    const there = s3.objects.get(key);
    if (none === '*' && there) return refuse(response, 412, 'PreconditionFailed');
    if (match && (!there || there.tag !== match)) return refuse(response, there ? 412 : 404, 'NoSuchKey');
  }
  store(s3, key, body);
  response.writeHead(200, { etag: tagOf(body) }).end();
}

function store(s3: S3StandIn, key: string, bytes: Buffer): void {
  s3.objects.set(key, { bytes, tag: tagOf(bytes), changedAt: new Date() });
}

function list(s3: S3StandIn, query: URLSearchParams, response: ServerResponse): void {
  const keyPrefix = (query.get('prefix') ?? '').slice(prefix.length);
  const after = query.get('continuation-token') ?? '';
  const keys = [...s3.objects.keys()].filter((key) => key.startsWith(keyPrefix) && key > after).sort();
  const page = keys.slice(0, pageSize);
  const contents = page.map((key) => {
    const { bytes, tag, changedAt } = s3.objects.get(key) as StoredObject;
    return `<Contents><Key>${prefix}${key}</Key><Size>${bytes.length}</Size><ETag>${tag}</ETag><LastModified>${changedAt.toISOString()}</LastModified></Contents>`;
  });
  const more = keys.length > page.length;
  xml(
    response,
    `<ListBucketResult><IsTruncated>${more}</IsTruncated>${contents.join('')}${
      more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    }</ListBucketResult>`,
  );
}

/** An upload's id ends with its key. */
function listUploads(s3: S3StandIn, query: URLSearchParams, response: ServerResponse): void {
  const keyPrefix = (query.get('prefix') ?? '').slice(prefix.length);
  const uploads = [...s3.unfinished.keys()]
    .map((id) => ({ id, key: id.replace(/^upload-\d+-/, '') }))
    .filter(({ key }) => key.startsWith(keyPrefix))
    .map(({ id, key }) => `<Upload><Key>${prefix}${key}</Key><UploadId>${id}</UploadId></Upload>`);
  xml(response, `<ListMultipartUploadsResult>${uploads.join('')}</ListMultipartUploadsResult>`);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}

function xml(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/xml' }).end(`<?xml version="1.0"?>${text}`);
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}
