import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { bearerToken } from '../credentials.ts';
import type { Caller } from '../database/database.ts';
import { GatewayError } from '../gateway/key-tokens.ts';
import type { StorageContext } from './storage-context.ts';
import { StorageError } from './storage-error.ts';

/**
 * Identifies the caller. Clients of resumable uploads, and of this service alone, send no key but a bearer, which may
 * be a key or a token. Throws GatewayError or AuthError.
 */
export async function callerOf(
  { callers, publishableKey }: Pick<StorageContext, 'callers' | 'publishableKey'>,
  headers: FastifyRequest['headers'],
): Promise<Caller> {
  const { authorization, 'user-agent': userAgent } = headers;
  const apikeyHeader = headers['apikey'];
  const apikey = typeof apikeyHeader === 'string' && apikeyHeader !== '' ? apikeyHeader : undefined;
  const bearer = bearerToken(authorization);
  if (apikey !== undefined || bearer === undefined) {
    return callers.resolveCaller({ apikey, authorization, userAgent });
  }
  try {
    return { role: await callers.roleOfKey({ apikey: bearer, userAgent }) };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return callers.resolveCaller({ apikey: publishableKey, authorization, userAgent });
  }
}

/** Id of a signed-in caller; null for a key alone. */
export function userIdOf(caller: Caller): string | null {
  const sub = caller.claims?.['sub'];
  return caller.role === 'authenticated' && typeof sub === 'string' ? sub : null;
}

/** Characters that a hosted project accepts: names that S3 keeps and URLs carry. */
const keyCharacters = /^[\w/!\-.*'() &$@=;:+,?]+$/;
const bucketCharacters = /^[\w!\-.*'() &$@=;:+,?]+$/;
const keyLength = 1024;
const bucketLength = 100;

/**
 * Returns the name unchanged. Throws StorageError `InvalidKey` for other characters, an empty segment, or a segment `.`
 * or `..`, which proxies and clients would resolve.
 */
export function checkObjectKey(name: string): string {
  const legal =
    name.length <= keyLength &&
    keyCharacters.test(name) &&
    name.split('/').every((segment) => !/^\.{0,2}$/.test(segment));
  if (!legal) throw new StorageError('InvalidKey', `Invalid key: ${shown(name)}`);
  return name;
}

export function checkBucketName(name: string): string {
  const legal =
    name.length <= bucketLength && bucketCharacters.test(name) && name.trim() === name && !/^\.+$/.test(name);
  if (!legal) throw new StorageError('InvalidBucketName', `Bucket name invalid: ${shown(name)}`);
  return name;
}

/** First segment of a name with several, else empty: the owner of the quota. */
export function folderOf(name: string): string {
  return name.includes('/') ? name.slice(0, name.indexOf('/')) : '';
}

function shown(name: string): string {
  return name.length > 100 ? `${name.slice(0, 100)}…` : name;
}

const params = z.object({ bucket: z.string(), '*': z.string() });

/** Bucket and name of the path, decoded. Throws StorageError `InvalidKey`. */
export function targetOf(request: FastifyRequest): { bucketId: string; name: string } {
  const { bucket, '*': name } = params.parse(request.params);
  return { bucketId: bucket, name: checkObjectKey(name) };
}

/** Throws StorageError `InvalidRequest`. */
export function parseStorageInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input ?? {});
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join('.');
  throw new StorageError('InvalidRequest', `${field ? `${field}: ` : ''}${issue?.message ?? 'not valid'}`, {
    cause: parsed.error,
  });
}

/**
 * Options of routes with file bodies, for a server that compresses responses and unpacks requests: these must stay
 * unchanged. A range counts the bytes as sent, and their length and tag are promised. Untyped, because the options
 * belong to a plugin that may be absent.
 */
export const untouchedBytes: object = { compress: false, decompress: false };
