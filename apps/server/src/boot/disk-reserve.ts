import { randomBytes } from 'node:crypto';
import { open, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { freeBytes } from '@cellfolio/bytes';
import { roundFileSize } from '@cellfolio/contract';

/**
 * Below this much free space no user data is written to the disk of the data folder, and `/readyz` reports it as full;
 * the embedded database can still sign users in and record what they open.
 */
export const diskFloorBytes = 64 * 2 ** 20;
/**
 * Size of a file whose space is released to the database on a full disk: the database writes when it is opened, above
 * all after a crash, when it replays a log of up to 64 MiB.
 */
const reserveBytes = 64 * 2 ** 20;
const pieceBytes = 2 ** 20;
const lookMilliseconds = 60_000;

export function diskFullAdvice(dataDir: string): string {
  const needed = roundFileSize(reserveBytes + diskFloorBytes);
  return `The disk of ${dataDir} is full. Free about ${needed} there, or enlarge the disk; a running server resumes automatically. At any time you may remove ${join(dataDir, 'compiled')}; while no process of Cellfolio runs, ${join(dataDir, 'scratch')} and ${join(dataDir, 'downloads')}, too.`;
}

const pathOf = (dataDir: string): string => join(dataDir, 'disk-reserve');

/**
 * Releases the reserve on a full disk: half of it, so that some is left for further starts, or `all`. Returns whether
 * it did.
 */
export async function releaseReserve(dataDir: string, all = false): Promise<boolean> {
  const path = pathOf(dataDir);
  const size = await sizeOf(path);
  if (size === 0 || (await freeBytes(dataDir)) >= diskFloorBytes) return false;
  await truncate(path, all ? 0 : Math.floor(size / 2));
  return true;
}

/** Refills the reserve as far as free disk space allows. */
export async function takeReserve(dataDir: string): Promise<void> {
  const path = pathOf(dataDir);
  let size = await sizeOf(path);
  if (size >= reserveBytes) return;
  const file = await open(path, 'a', 0o600);
  try {
    // Zeros would take no space on a disk that compresses.
    const piece = randomBytes(pieceBytes);
    for (
      ;
      size < reserveBytes && (await freeBytes(dataDir)) > diskFloorBytes + pieceBytes;
      size += pieceBytes
    )
      await file.appendFile(piece);
  } finally {
    await file.close();
  }
}

/** Refills the reserve within a minute, and whenever there is space again. */
export function keepReserve(
  dataDir: string,
  onFailure: (error: unknown) => void,
): { close(): Promise<void> } {
  let taking = Promise.resolve();
  const timer = setInterval(() => {
    taking = takeReserve(dataDir).catch(onFailure);
  }, lookMilliseconds).unref();
  return {
    close() {
      clearInterval(timer);
      return taking;
    },
  };
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
