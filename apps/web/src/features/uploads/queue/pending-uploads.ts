import { useEffect, useState } from 'react';
import { readStored, writeStored } from '@/lib/stored-value.ts';

export interface PendingUpload {
  /** Storage path, also used as the id. */
  path: string;
  fileName: string;
  description: string | null;
  originalName: string;
  /** Bytes. */
  size: number;
  /** Milliseconds since the epoch; identifies the file together with name and size. */
  lastModified: number;
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** Upload URL; `null` until the service has assigned it. */
  url: string | null;
}

// The service deletes an upload without progress after a day.
const longestMs = 24 * 3600 * 1000;
const maxUploads = 100;

const local = () => localStorage;
const keyOf = (userId: string) => `cellfolio:uploads:${userId}`;

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

export function rememberUpload(userId: string, upload: PendingUpload, now: number): void {
  const others = pendingUploads(userId, now).filter(({ path }) => path !== upload.path);
  write(userId, [...others, upload].slice(-maxUploads));
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

export function isSameFile(
  { originalName, size, lastModified }: Pick<PendingUpload, 'originalName' | 'size' | 'lastModified'>,
  file: Pick<File, 'name' | 'size' | 'lastModified'>,
): boolean {
  return originalName === file.name && size === file.size && lastModified === file.lastModified;
}

function isPending(value: unknown): value is PendingUpload {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Partial<Record<keyof PendingUpload, unknown>>;
  return (
    typeof fields.path === 'string' &&
    typeof fields.fileName === 'string' &&
    (fields.description === null || typeof fields.description === 'string') &&
    typeof fields.originalName === 'string' &&
    typeof fields.size === 'number' &&
    typeof fields.lastModified === 'number' &&
    typeof fields.startedAt === 'number' &&
    (fields.url === null || typeof fields.url === 'string')
  );
}

const lockName = (path: string) => `cellfolio:upload:${path}`;

/**
 * Locks an upload, so that the browser's other tabs know it runs in this one, until the returned function is called or
 * the tab is closed. Plain http has no locks: tabs then do not know of each other, and the server allows one writer at
 * a time.
 */
export function holdUpload(path: string): () => void {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Absent on plain http, whatever its type says.
  const locks = navigator.locks as LockManager | undefined;
  void locks?.request(lockName(path), { ifAvailable: true }, () => released);
  return release;
}

export async function isHeld(path: string): Promise<boolean> {
  const locks = navigator.locks as LockManager | undefined;
  const { held = [] } = (await locks?.query()) ?? {};
  return held.some(({ name }) => name === lockName(path));
}

/**
 * Whether another tab holds the lock of an upload that does not run in this one; checks again when this tab is visited.
 */
export function useHeldElsewhere(path: string): boolean {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    let isUnmounted = false;
    const look = () => void isHeld(path).then((now) => isUnmounted || setHeld(now));
    look();
    addEventListener('focus', look);
    return () => {
      isUnmounted = true;
      removeEventListener('focus', look);
    };
  }, [path]);
  return held;
}
