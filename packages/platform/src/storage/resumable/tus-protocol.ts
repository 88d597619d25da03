import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { BlobState, Checkpoint } from '@cellfolio/bytes';
import { ERRORS } from '@tus/server';
import type { FastifyRequest } from 'fastify';
import { StorageError, asStorageError } from '../storage-error.ts';
import type { FileDescription } from '../plan-upload.ts';
import type { Database, Caller } from '../../database/database.ts';
import { GatewayError } from '../../gateway/key-tokens.ts';

/**
 * Absolute address of one of our paths, at the host of the request, or behind a trusted proxy at the host that the
 * proxy was asked for. A public address on that host also determines whether it is https.
 */
export function absoluteUrl(
  request: Pick<IncomingMessage, 'headers' | 'socket'>,
  path: string,
  { publicUrl, trustProxy }: { publicUrl: string; trustProxy: boolean },
): string {
  const configured = new URL(publicUrl);
  const base = configured.pathname.replace(/\/+$/, '');
  const {
    host: requestHost,
    'x-forwarded-host': forwardedHost,
    'x-forwarded-proto': forwardedProto,
  } = request.headers;
  const host = (trustProxy && first(forwardedHost)) || requestHost || configured.host;
  const forwarded = trustProxy ? first(forwardedProto) : undefined;
  let scheme = (request.socket as Partial<TLSSocket>).encrypted ? 'https' : 'http';
  if (forwarded === 'http' || forwarded === 'https') scheme = forwarded;
  else if (host === configured.host) scheme = configured.protocol.slice(0, -1);
  // An invalid host would produce an arbitrary address.
  return /^[\w.:[\]-]+$/.test(host) && URL.canParse(`${scheme}://${host}`)
    ? `${scheme}://${host}${base}${path}`
    : `${configured.origin}${base}${path}`;
}

function first(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  return text?.split(',')[0]?.trim();
}

export function describedIn(
  metadata: Readonly<Record<string, string | null>>,
): FileDescription & { userMetadata: Record<string, unknown> | null } {
  const { contentType, cacheControl, metadata: userMetadata } = metadata;
  return {
    mimetype: contentType ?? undefined,
    cacheControl:
      cacheControl && /^\d+$/.test(cacheControl) ? `max-age=${cacheControl}` : (cacheControl ?? undefined),
    userMetadata: userMetadata ? objectIn(userMetadata) : null,
  };
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
      return parsed as Record<string, unknown>;
    }
  } catch (cause) {
    throw new StorageError('InvalidRequest', 'The metadata of the upload is not JSON.', { cause });
  }
  throw new StorageError('InvalidRequest', 'The metadata of the upload is not a JSON object.');
}

export interface UploadRow {
  id: string;
  bucket_id: string;
  name: string;
  upsert: boolean;
  caller: Caller;
  tus_metadata: Record<string, string | null> | null;
  /** Bytes; null until the sender announces it. */
  upload_length: number | null;
  upload_offset: number;
  reserved_bytes: number;
  blob_state: BlobState;
  digest: string | null;
  finished: boolean;
  expires_at: Date;
}

/** Ids are UUIDs in our own notation; the database accepts nothing else. */
export function isUploadId(id: string | undefined): id is string {
  return id !== undefined && /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/.test(id);
}

/** Undefined for an unknown id, or for an upload that cannot be resumed. */
export async function uploadRow(database: Database, id: string): Promise<UploadRow | undefined> {
  const { rows } = await database.pool.query<UploadRow>(
    `select id, bucket_id, name, upsert, caller, tus_metadata, upload_length::float8 as upload_length,
       upload_offset::float8 as upload_offset, reserved_bytes::float8 as reserved_bytes, blob_state, digest,
       finished_at is not null as finished, expires_at
     from storage.uploads where id = $1 and resumable`,
    [id],
  );
  return rows[0];
}

/**
 * Records the offset of an upload, if it is unchanged since this writer read it. False if another writer continued
 * or the upload was abandoned.
 */
export async function noteProgress(
  database: Database,
  id: string,
  from: number,
  { offset, state, digest }: Checkpoint,
  secondsLeft: number,
): Promise<boolean> {
  const { rowCount } = await database.pool.query(
    `update storage.uploads set upload_offset = $3, blob_state = $4, digest = $5, updated_at = now(),
       expires_at = now() + make_interval(secs => $6)
     where id = $1 and upload_offset = $2 and finished_at is null`,
    [id, from, offset, JSON.stringify(state), digest, secondsLeft],
  );
  return rowCount === 1;
}

/** Error of this protocol: a true status and a plain text. */
interface TusRefusal {
  status_code: number;
  body: string;
}

/** Converts an error to the protocol's format; errors that are not the caller's fault are logged and not revealed. */
export function tusRefusal(error: unknown, log: FastifyRequest['log']): TusRefusal {
  if (isRefusal(error)) {
    // The protocol's server answers 501 to extensions that it does not have; that is the caller's request.
    return { status_code: error.status_code === 501 ? 400 : error.status_code, body: error.body };
  }
  if (error instanceof GatewayError) return { status_code: error.status, body: `${error.message}\n` };
  const { code, status, message } = asStorageError(error, { log });
  // In the words of the protocol's server, which itself only knows the largest file of all buckets.
  if (code === 'EntityTooLarge') return ERRORS.ERR_MAX_SIZE_EXCEEDED;
  return { status_code: status, body: `${message}\n` };
}

function isRefusal(error: unknown): error is TusRefusal {
  const { status_code, body } = (error ?? {}) as Partial<TusRefusal>;
  return typeof status_code === 'number' && typeof body === 'string' && status_code !== 500;
}

/** The upload is missing, or belongs to another user. */
export class NoSuchUpload extends Error implements TusRefusal {
  override readonly name = 'NoSuchUpload';
  readonly status_code = 404;
  readonly body = 'There is no upload at this address; start it again.\n';
}
