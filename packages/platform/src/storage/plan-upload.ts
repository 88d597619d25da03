import { randomUUID } from 'node:crypto';
import type { Caller } from '../database/database.ts';
import { checkObjectKey } from './storage-request.ts';
import { StorageError } from './storage-error.ts';
import type { UploadContext, BucketRules } from './storage-context.ts';
import { bucketRow } from './buckets.ts';
import { probeObjectRow, type ObjectMetadata } from './objects.ts';

interface UploadTarget {
  caller: Caller;
  bucketId: string;
  name: string;
  upsert: boolean;
  /** Version of the object and of its bytes; default a new one. */
  version?: string;
}

export interface UploadPlan extends UploadTarget {
  version: string;
  maxBytes: number;
  rules: BucketRules;
  /** Undefined: any. */
  allowedMimeTypes: readonly string[] | undefined;
}

/**
 * Checks an upload before its first byte: a legal name, an extension that the bucket accepts, and the caller's right to
 * write there. Throws StorageError, or the database's 42501.
 */
export async function planUpload(context: UploadContext, target: UploadTarget): Promise<UploadPlan> {
  const name = checkObjectKey(target.name);
  const bucket = await bucketRow(context.database, target.bucketId);
  const rules = context.buckets.get(bucket.id) ?? {};
  const version = target.version ?? randomUUID();
  const metadata = objectMetadata({ size: 0, eTag: '""' }, {}, context.now());
  const probe = { bucketId: bucket.id, name, upsert: target.upsert, version, metadata, userMetadata: null };
  checkExtension(name, rules);
  await probeObjectRow(context.database, target.caller, probe);
  const { maxFileBytes } = context.settings;
  return {
    ...target,
    version,
    maxBytes: Math.min(maxFileBytes, bucket.file_size_limit ?? maxFileBytes),
    rules,
    allowedMimeTypes: bucket.allowed_mime_types ?? undefined,
  };
}

/** Throws StorageError `InvalidMimeType`, since in a bucket with rules on names the name is the type. */
export function checkExtension(name: string, { extensions }: BucketRules): void {
  if (!extensions) return;
  const file = name.slice(name.lastIndexOf('/') + 1).toLowerCase();
  // A name needs text before its extension.
  if (extensions.some((extension) => file.endsWith(`.${extension}`) && file.length > extension.length + 1))
    return;
  const list = extensions.map((extension) => `.${extension}`).join(', ');
  throw new StorageError(
    'InvalidMimeType',
    `Only files with one of these extensions are taken here: ${list}`,
  );
}

/** Throws StorageError `InvalidMimeType`. */
export function checkMimeType(mimetype: string, allowed: readonly string[] | undefined): void {
  if (!allowed || allowed.length === 0) return;
  const bare = mimetype.split(';')[0]?.trim().toLowerCase() ?? '';
  const fits = allowed.some((one) => {
    const pattern = one.toLowerCase();
    return pattern.endsWith('/*') ? bare.startsWith(pattern.slice(0, -1)) : bare === pattern;
  });
  if (!fits)
    throw new StorageError('InvalidMimeType', `mime type ${mimetype.slice(0, 100)} is not supported`);
}

export function checkSize(bytes: number | undefined, maxBytes: number): void {
  if (bytes !== undefined && bytes > maxBytes) {
    throw new StorageError('EntityTooLarge', 'The object exceeded the maximum allowed size');
  }
}

export interface FileDescription {
  mimetype?: string | undefined;
  /** Header value, such as `max-age=3600`. */
  cacheControl?: string | undefined;
}

export function objectMetadata(
  bytes: { size: number; eTag: string },
  { mimetype, cacheControl }: FileDescription,
  now: number,
): ObjectMetadata {
  return {
    eTag: bytes.eTag,
    size: bytes.size,
    mimetype: mimetype || 'application/octet-stream',
    cacheControl: cacheControl || 'no-cache',
    lastModified: new Date(now).toISOString(),
    contentLength: bytes.size,
    httpStatusCode: 200,
  };
}
