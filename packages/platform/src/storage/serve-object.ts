import type { FastifyReply, FastifyRequest } from 'fastify';
import { blobKeyOf } from './blob-key.ts';
import { ObjectNotFound } from '@cellfolio/bytes';
import { parseRange } from './byte-range.ts';
import { attachment } from './content-disposition.ts';
import type { StoredObject } from './services/stored-object.ts';
import type { StorageContext } from './storage-context.ts';
import { StorageError } from './storage-error.ts';

/** How often a row is read again whose bytes were replaced between reading it and opening them. */
const attempts = 3;

/** Answers with the bytes of what `find` finds: ranges, conditions, downloads; to HEAD with the headers alone. */
export async function serveObject(
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
    // Files come from strangers: never run as a page of this origin, never guessed to be another type.
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  });
  const wanted = Array.isArray(download) ? download[0] : download;
  if (wanted !== undefined)
    reply.header('content-disposition', attachment(wanted === 'true' ? '' : decodedAgain(wanted)));
  if (notModified(headers, eTag, metadata.lastModified)) return reply.code(304).send();

  // A range of a version that is no longer there would be glued to the wrong rest.
  const ifRange = headers['if-range'];
  const sameVersion = ifRange === undefined || ifRange === eTag || ifRange === modified;
  const range = sameVersion ? parseRange(headers.range, size) : undefined;
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${size}`);
    throw new StorageError('InvalidRange', 'The requested range is not satisfiable');
  }
  const length = range?.length ?? size;
  reply.header('content-type', headerText(metadata.mimetype) ?? 'application/octet-stream');
  if (range) {
    reply
      .code(206)
      .header('content-range', `bytes ${range.offset}-${range.offset + range.length - 1}/${size}`);
  }
  if (request.method === 'HEAD') return reply.header('content-length', length).send();
  const body = await context.blobs.get(blobKeyOf(version), range && { range });
  // A download that the client gives up must not keep the file or the connection to S3 open.
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

/** What an uploader said, where it can stand in a header. */
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
