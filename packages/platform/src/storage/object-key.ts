import { StorageError } from './storage-error.ts';

/** What a hosted project takes: names that S3 keeps and URLs carry. */
const keyCharacters = /^[\w/!\-.*'() &$@=;:+,?]+$/;
const bucketCharacters = /^[\w!\-.*'() &$@=;:+,?]+$/;
const keyLength = 1024;
const bucketLength = 100;

/**
 * The name of an object, as given. Throws StorageError `InvalidKey` for one with other characters, with an empty
 * segment, or with `.` or `..` for a segment, which proxies and clients would resolve.
 */
export function checkObjectKey(name: string): string {
  const legal =
    name.length <= keyLength &&
    keyCharacters.test(name) &&
    name.split('/').every((segment) => !/^\.{0,2}$/.test(segment));
  if (!legal) throw new StorageError('InvalidKey', `Invalid key: ${shown(name)}`);
  return name;
}

/** Throws StorageError `InvalidBucketName`. */
export function checkBucketName(name: string): string {
  const legal =
    name.length <= bucketLength && bucketCharacters.test(name) && name.trim() === name && !/^\.+$/.test(name);
  if (!legal) throw new StorageError('InvalidBucketName', `Bucket name invalid: ${shown(name)}`);
  return name;
}

/** First segment of a name that has more than one, else empty: whose quota it is. */
export function folderOf(name: string): string {
  return name.includes('/') ? name.slice(0, name.indexOf('/')) : '';
}

function shown(name: string): string {
  return name.length > 100 ? `${name.slice(0, 100)}…` : name;
}
