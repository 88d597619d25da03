import { InvalidObjectKey } from './errors.ts';

/** Segments of a key. Throws InvalidObjectKey for keys that could leave the store's root. */
export function keySegments(key: string): string[] {
  if (key === '') throw new InvalidObjectKey(key, 'it is empty');
  if (key.includes('\0')) throw new InvalidObjectKey(key, 'it holds a NUL character');
  if (key.includes('\\')) throw new InvalidObjectKey(key, 'it holds a backslash');
  const segments = key.split('/');
  for (const segment of segments) {
    if (segment === '') throw new InvalidObjectKey(key, 'it has an empty segment');
    if (segment === '.' || segment === '..') throw new InvalidObjectKey(key, `it has a "${segment}" segment`);
  }
  return segments;
}
