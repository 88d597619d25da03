import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export class BackupFailed extends Error {
  override readonly name = 'BackupFailed';
}

/** The folder is not a backup, or the backup is incomplete or corrupt. Nothing of it is restored. */
export class BackupDamaged extends Error {
  override readonly name = 'BackupDamaged';
  readonly folder: string;
  /** The file at fault; undefined when it is the whole backup. */
  readonly part?: string;

  constructor(folder: string, problem: string, options: { part?: string; cause?: unknown } = {}) {
    super(`The backup in ${folder} cannot be used: ${problem}`, { cause: options.cause });
    this.folder = folder;
    if (options.part !== undefined) this.part = options.part;
  }
}

/** The target of a backup or restore is not empty. */
export class PlaceNotEmpty extends Error {
  override readonly name = 'PlaceNotEmpty';
}

export interface BackupEntry {
  /** Relative to the folder of the backup, with slashes. */
  path: string;
  size: number;
  sha256: string;
}

/** The list is written last: without it a backup is incomplete. */
export const listName = 'backup.jsonl';
const format = 1;

export interface BackupList {
  /** ISO 8601. */
  writtenAt: string;
  entries: readonly BackupEntry[];
}

/** Writes a header, a line per file, and a last line with the number of files and a checksum of the other lines. */
export async function writeList(folder: string, { writtenAt, entries }: BackupList): Promise<void> {
  const lines = [{ cellfolioBackup: format, writtenAt }, ...entries].map(
    (line) => `${JSON.stringify(line)}\n`,
  );
  const sha256 = createHash('sha256').update(lines.join('')).digest('hex');
  const handle = await open(join(folder, listName), 'wx', 0o600);
  try {
    await handle.writeFile(`${lines.join('')}${JSON.stringify({ files: entries.length, sha256 })}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Throws BackupDamaged when the list is missing, truncated, changed or of another version. */
export async function readList(folder: string): Promise<BackupList> {
  const text = await readFile(join(folder, listName), 'utf8').catch((cause: unknown) => {
    throw new BackupDamaged(
      folder,
      `${listName} is missing; the folder is not a backup, or the backup was interrupted.`,
      { cause },
    );
  });
  const cut = text.lastIndexOf('\n', text.length - 2) + 1;
  const end = parsed(text.slice(cut)) as { files?: unknown; sha256?: unknown } | undefined;
  if (end?.sha256 !== createHash('sha256').update(text.slice(0, cut)).digest('hex')) {
    throw new BackupDamaged(folder, `${listName} is truncated or was changed.`, { part: listName });
  }
  const [header, ...entries] = text
    .slice(0, cut)
    .split('\n')
    .filter((line) => line !== '')
    .map(parsed) as [{ cellfolioBackup?: unknown; writtenAt?: string }, ...BackupEntry[]];
  if (header?.cellfolioBackup !== format) {
    throw new BackupDamaged(
      folder,
      'it was written by another version of this program; restore it with that version.',
    );
  }
  return { writtenAt: header.writtenAt ?? '', entries };
}

/** Checks size and checksum of every file. Throws BackupDamaged at the first mismatch. */
export async function verifyBackup(
  folder: string,
  { entries }: BackupList,
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  for (const { path, size, sha256 } of entries) {
    // The list is not signed: a path must not leave the folder.
    if (!/^[^/\\]+(\/[^/\\]+)*$/.test(path) || path.split('/').some((name) => /^\.+$/.test(name))) {
      throw new BackupDamaged(folder, `it lists a file outside its folder (${JSON.stringify(path)}).`);
    }
    const hash: Hash = createHash('sha256');
    let read = 0;
    try {
      for await (const piece of createReadStream(join(folder, path), { signal }) as AsyncIterable<Buffer>) {
        hash.update(piece);
        read += piece.byteLength;
        onBytes(piece.byteLength);
      }
    } catch (cause) {
      signal.throwIfAborted();
      throw new BackupDamaged(folder, `${path} is missing or cannot be read.`, { part: path, cause });
    }
    if (read !== size || hash.digest('hex') !== sha256) {
      throw new BackupDamaged(folder, `${path} is corrupt (${read} of ${size} bytes).`, {
        part: path,
      });
    }
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
