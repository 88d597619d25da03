import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ObjectNotFound, type ByteRange } from '@cellfolio/bytes';
import { parseStorageInput, targetOf, callerOf, untouchedBytes } from './storage-request.ts';
import { bucketRow, noSuchBucket } from './buckets.ts';
import { visibleObject, type StoredObject, blobKeyOf } from './objects.ts';
import type { StorageContext } from './storage-context.ts';
import { StorageError } from './storage-error.ts';

const query = z.object({ token: z.string().optional() });
/** An address with a token, or of a public bucket, grants access by itself. */
const bearer = { role: 'service_role' } as const;

export function downloadRoutes(app: FastifyInstance, context: StorageContext): void {
  const { database } = context;
  for (const url of ['/object/:bucket/*', '/object/authenticated/:bucket/*']) {
    app.route({
      ...untouchedBytes,
      method: ['GET', 'HEAD'],
      url,
      handler: async (request, reply) => {
        const caller = await callerOf(context, request.headers);
        const target = targetOf(request);
        await bucketRow(database, target.bucketId);
        return serveObject(context, request, reply, () => visibleObject(database, caller, target));
      },
    });
  }
  app.route({
    ...untouchedBytes,
    method: ['GET', 'HEAD'],
    url: '/object/sign/:bucket/*',
    handler: async (request, reply) => {
      const target = targetOf(request);
      const { token } = parseStorageInput(query, request.query);
      await context.tokens.verify(token, 'download', `${target.bucketId}/${target.name}`);
      return serveObject(context, request, reply, () => visibleObject(database, bearer, target));
    },
  });
  app.route({
    ...untouchedBytes,
    method: ['GET', 'HEAD'],
    url: '/object/public/:bucket/*',
    handler: async (request, reply) => {
      const target = targetOf(request);
      // Same response for a private bucket and a missing one.
      if (!(await bucketRow(database, target.bucketId)).public) throw noSuchBucket();
      return serveObject(context, request, reply, () => visibleObject(database, bearer, target));
    },
  });
}

export function infoRoutes(app: FastifyInstance, context: StorageContext): void {
  const { database } = context;
  for (const url of ['/object/info/:bucket/*', '/object/info/authenticated/:bucket/*']) {
    app.get(url, async (request, reply) => {
      const caller = await callerOf(context, request.headers);
      const target = targetOf(request);
      await bucketRow(database, target.bucketId);
      return infoOf(reply, await visibleObject(database, caller, target));
    });
  }
  app.get('/object/info/public/:bucket/*', async (request, reply) => {
    const target = targetOf(request);
    if (!(await bucketRow(database, target.bucketId)).public) throw noSuchBucket();
    return infoOf(reply, await visibleObject(database, { role: 'service_role' }, target));
  });
}

function infoOf(reply: FastifyReply, { metadata, ...object }: StoredObject): Record<string, unknown> {
  reply.header('etag', metadata.eTag);
  return {
    id: object.id,
    name: object.name,
    version: object.version,
    bucket_id: object.bucket_id,
    size: metadata.size,
    content_type: metadata.mimetype,
    cache_control: metadata.cacheControl,
    etag: metadata.eTag,
    metadata: object.user_metadata ?? {},
    last_modified: metadata.lastModified,
    created_at: object.created_at,
  };
}

/** Maximum reads of a row whose bytes are replaced before they are opened. */
const attempts = 3;

/** Sends the bytes of the object from `find`: ranges, conditions, downloads; for HEAD the headers alone. */
async function serveObject(
  context: StorageContext,
  request: FastifyRequest,
  reply: FastifyReply,
  find: () => Promise<StoredObject>,
): Promise<FastifyReply> {
  for (let attempt = 1; ; attempt += 1) {
    const object = await find();
    try {
      return await serveVersion(context, request, reply, object);
    } catch (error) {
      if (!(error instanceof ObjectNotFound) || attempt === attempts) throw error;
    }
  }
}

async function serveVersion(
  context: StorageContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { version, metadata }: StoredObject,
): Promise<FastifyReply> {
  const { size, eTag } = metadata;
  const { headers } = request;
  const { download } = request.query as { download?: string | string[] };
  const modified = new Date(metadata.lastModified).toUTCString();
  reply.headers({
    etag: eTag,
    'last-modified': modified,
    'cache-control': headerText(metadata.cacheControl) ?? 'no-cache',
    'accept-ranges': 'bytes',
    // Files are untrusted: never run as a page of this origin, no type sniffing.
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  });
  const downloadName = Array.isArray(download) ? download[0] : download;
  if (downloadName !== undefined)
    reply.header(
      'content-disposition',
      attachment(downloadName === 'true' ? '' : decodedAgain(downloadName)),
    );
  if (notModified(headers, eTag, metadata.lastModified)) return reply.code(304).send();

  const range = requestedRange(request, reply, { size, validators: [eTag, modified] });
  if (range === 'unsatisfiable')
    throw new StorageError('InvalidRange', 'The requested range is not satisfiable');
  const length = range?.length ?? size;
  reply.header('content-type', headerText(metadata.mimetype) ?? 'application/octet-stream');
  if (request.method === 'HEAD') return reply.header('content-length', length).send();
  const body = await context.blobs.get(blobKeyOf(version), range && { range });
  // An aborted download must close the file or the S3 connection.
  reply.raw.once('close', () => body.destroy());
  return reply.header('content-length', length).send(body);
}

function notModified(headers: FastifyRequest['headers'], eTag: string, lastModified: string): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined) {
    return tags.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === eTag);
  }
  const since = Date.parse(headers['if-modified-since'] ?? '');
  // The header counts in whole seconds.
  return !Number.isNaN(since) && Math.floor(Date.parse(lastModified) / 1000) * 1000 <= since;
}

function headerText(text: string): string | undefined {
  return /^[\u0020-\u007e]{1,200}$/.test(text) ? text : undefined;
}

/** The official client encodes the name twice. */
function decodedAgain(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/**
 * The single range that a call asks for, as `parseRange`; sets the status and `Content-Range` of its answer.
 * `validators`: versions that `If-Range` may name, since a range of a replaced version would be joined to the wrong rest.
 */
export function requestedRange(
  { headers }: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  { size, validators }: { size: number; validators: readonly string[] },
): ByteRange | 'unsatisfiable' | undefined {
  const ifRange = headers['if-range'];
  const isSame = ifRange === undefined || validators.includes(String(ifRange));
  const range = isSame ? parseRange(headers.range, size) : undefined;
  if (range === 'unsatisfiable') reply.header('content-range', `bytes */${size}`);
  else if (range)
    reply
      .code(206)
      .header('content-range', `bytes ${range.offset}-${range.offset + range.length - 1}/${size}`);
  return range;
}

/**
 * The single range of a Range header. Undefined: send everything (no header, another unit, several ranges, nonsense;
 * RFC 9110 lets a server ignore all of them). `unsatisfiable`: it begins past the end.
 */
export function parseRange(
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(header?.replaceAll(' ', '') ?? '');
  if (!match) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '') {
    if (last === '') return undefined;
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { offset: size - length, length };
  }
  const offset = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < offset) return undefined;
  return offset >= size ? 'unsatisfiable' : { offset, length: end - offset + 1 };
}

/**
 * `attachment` with a name that every browser understands (RFC 6266); an empty name leaves it to the address. Removes
 * the marks that change the direction of writing: they can disguise a file's extension.
 */
export function attachment(name: string): string {
  const clean = [...name.replaceAll(/[\p{Cc}\p{Bidi_Control}/\\]/gu, '_')]
    .slice(0, 200)
    .join('')
    .toWellFormed();
  if (clean === '') return 'attachment';
  const ascii = clean.replaceAll(/[^ -~]/g, '_').replaceAll('"', "'");
  const encoded = encodeURIComponent(clean).replaceAll(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
