import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Multipart, MultipartFile } from '@fastify/multipart';
import { targetOf, callerOf, untouchedBytes } from './storage-request.ts';
import { planUpload } from './plan-upload.ts';
import { type Uploaded, uploadObject, type Upload } from './upload-object.ts';
import type { StorageContext } from './storage-context.ts';
import { StorageError } from './storage-error.ts';

export function uploadRoutes(app: FastifyInstance, context: StorageContext): void {
  const upload = async (request: FastifyRequest, upsert: boolean): Promise<Uploaded> => {
    const caller = await callerOf(context, request.headers);
    const plan = await planUpload(context, { caller, upsert, ...targetOf(request) });
    return uploadObject(context, plan, await readUpload(request));
  };
  app.route({
    ...untouchedBytes,
    method: 'POST',
    url: '/object/:bucket/*',
    handler: (request) => upload(request, request.headers['x-upsert'] === 'true'),
  });
  app.route({
    ...untouchedBytes,
    method: 'PUT',
    url: '/object/:bucket/*',
    handler: (request) => upload(request, true),
  });
}

/** Maximum bytes of a form besides the file: boundaries, part headers, metadata. */
const wrappingBytes = 2 * 1024 * 1024;

/** The file of an upload request, raw or as the nameless part of a form, not yet read. Throws StorageError. */
export async function readUpload(request: FastifyRequest): Promise<Upload> {
  const announced = request.headers['content-length'];
  const announcedBytes = announced === undefined ? undefined : Number(announced);
  if (request.isMultipart()) return readForm(request, announcedBytes);
  const { 'content-type': mimetype, 'cache-control': cacheControl, 'x-metadata': metadata } = request.headers;
  const userMetadata = metadataInHeader(metadata);
  return {
    body: request.body === undefined ? nothing() : (request.body as Readable),
    announcedBytes,
    wrappingBytes: 0,
    mimetype,
    cacheControl,
    userMetadata: () => userMetadata,
  };
}

/** Metadata from `x-metadata`: JSON in base64. Throws StorageError `InvalidRequest`. */
export function metadataInHeader(header: string | string[] | undefined): Record<string, unknown> | null {
  return typeof header === 'string' ? parseMetadata(Buffer.from(header, 'base64').toString()) : null;
}

async function readForm(request: FastifyRequest, announcedBytes: number | undefined): Promise<Upload> {
  const parts = request.parts();
  const fields = new Map<string, string>();
  const note = (part: Multipart): void => {
    if (part.type === 'field' && typeof part.value === 'string') fields.set(part.fieldname, part.value);
  };
  let file: MultipartFile | undefined;
  while (!file) {
    const next = await parts.next().catch(throwFormError);
    if (next.done) throw new StorageError('InvalidRequest', 'The form has no file.');
    if (next.value.type === 'file') file = next.value;
    else note(next.value);
  }
  const seconds = fields.get('cacheControl');
  return {
    body: fileThenRest(file.file, parts, note),
    announcedBytes,
    wrappingBytes,
    mimetype: fields.get('contentType') ?? file.mimetype,
    cacheControl: seconds === undefined ? undefined : maxAge(seconds),
    userMetadata: () => {
      const metadata = fields.get('metadata');
      return metadata === undefined ? null : parseMetadata(metadata);
    },
  };
}

/** Yields the file, then reads the rest of the form: an upload is complete when its request is. */
async function* fileThenRest(
  file: MultipartFile['file'],
  parts: AsyncIterableIterator<Multipart>,
  note: (part: Multipart) => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* file as AsyncIterable<Uint8Array>;
    if (file.truncated) throw new StorageError('InvalidRequest', 'The form ended unexpectedly.');
    for await (const part of parts) {
      if (part.type === 'file') {
        part.file.resume();
        throw new StorageError('InvalidRequest', 'The form has more than one file.');
      }
      note(part);
    }
  } catch (error) {
    throwFormError(error);
  }
}

/** Form parser errors have no code; the sender is always at fault. */
function throwFormError(cause: unknown): never {
  if (cause instanceof StorageError) throw cause;
  throw new StorageError('InvalidRequest', 'The form is incomplete or malformed.', { cause });
}

function maxAge(cacheControl: string): string {
  return /^\d+$/.test(cacheControl) ? `max-age=${cacheControl}` : cacheControl;
}

function parseMetadata(text: string): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw new StorageError('InvalidRequest', 'The metadata is not JSON.', { cause });
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new StorageError('InvalidRequest', 'The metadata is not a JSON object.');
  }
  return parsed as Record<string, unknown>;
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
