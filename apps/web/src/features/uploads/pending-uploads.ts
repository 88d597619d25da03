import { readStored, writeStored } from '@/lib/stored-value.ts';

/** An upload that has begun and has no row yet: enough to go on with when its file is chosen again. */
export interface PendingUpload {
  /** Where it is stored; names it too. */
  path: string;
  /** What the user called it. */
  fileName: string;
  description: string | null;
  originalName: string;
  /** Bytes. */
  size: number;
  /** Of the file, in milliseconds since the epoch: with name and size, what tells it from another. */
  lastModified: number;
  /** When the upload began, in milliseconds since the epoch. */
  startedAt: number;
  /** Where its bytes are sent; `null` before the service has named it. */
  url: string | null;
}

// The service forgets an upload that makes no progress for a day.
const longestMs = 24 * 3600 * 1000;
const most = 100;

const local = () => localStorage;
const keyOf = (userId: string) => `cellfolio:uploads:${userId}`;

/** The uploads of a user that this browser has begun and not finished, oldest first. */
export function pendingUploads(userId: string, now: number): PendingUpload[] {
  const text = readStored(local, keyOf(userId));
  if (text === null) return [];
  try {
    const stored: unknown = JSON.parse(text);
    if (!Array.isArray(stored)) return [];
    return stored.filter(isPending).filter(({ startedAt }) => now - startedAt < longestMs);
  } catch {
    return [];
  }
}

/** Writes one down, in the place of what was known of it. */
export function rememberUpload(userId: string, upload: PendingUpload, now: number): void {
  const others = pendingUploads(userId, now).filter(({ path }) => path !== upload.path);
  write(userId, [...others, upload].slice(-most));
}

export function forgetUpload(userId: string, path: string, now: number): void {
  write(
    userId,
    pendingUploads(userId, now).filter((upload) => upload.path !== path),
  );
}

function write(userId: string, uploads: readonly PendingUpload[]): void {
  writeStored(local, keyOf(userId), JSON.stringify(uploads));
}

/** Whether a file is the one that an upload began with, as far as its name, size and date tell. */
export function isSameFile(
  { originalName, size, lastModified }: Pick<PendingUpload, 'originalName' | 'size' | 'lastModified'>,
  file: Pick<File, 'name' | 'size' | 'lastModified'>,
): boolean {
  return originalName === file.name && size === file.size && lastModified === file.lastModified;
}

function isPending(value: unknown): value is PendingUpload {
  if (typeof value !== 'object' || value === null) return false;
  const given = value as Partial<Record<keyof PendingUpload, unknown>>;
  return (
    typeof given.path === 'string' &&
    typeof given.fileName === 'string' &&
    (given.description === null || typeof given.description === 'string') &&
    typeof given.originalName === 'string' &&
    typeof given.size === 'number' &&
    typeof given.lastModified === 'number' &&
    typeof given.startedAt === 'number' &&
    (given.url === null || typeof given.url === 'string')
  );
}
