import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { mkdir, open, readdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileSize } from '@cellfolio/contract';
import { ForbiddenRedirect, shownAddress } from './open-answer.ts';
import {
  AttemptFailed,
  type FilePart,
  receive,
  type Received,
  ReceiveFailed,
  type ReceiveOptions,
} from './receive.ts';
import { Reservation } from './reservation.ts';

export interface DownloadOptions extends Pick<
  ReceiveOptions,
  'signal' | 'onProgress' | 'onPause' | 'pauses' | 'mayBePrivate' | 'tooLarge' | 'part' | 'leastRate'
> {
  /** File name; default: the last part of the address. */
  name?: string | undefined;
  /** Maximum silence of the server before the download is resumed; default 30 s. */
  timeoutMilliseconds?: number;
  maxBytes?: number;
  /** Folder of the reservations of all downloads to this disk, shared by all processes of a data folder. */
  reservations: string;
  /**
   * Bytes that all downloads together may still write to the disk of a folder; default: all free bytes except a
   * twentieth.
   */
  freeBytes?: (folder: string) => Promise<number>;
}

/** A download that failed permanently; partial data is kept, and the same download can be resumed. */
export class DownloadFailed extends Error {
  override readonly name = 'DownloadFailed';
}

/** The address is not encrypted, so no request was sent. */
class InsecureAddress extends Error {
  override readonly name = 'InsecureAddress';
}

export interface Downloaded {
  path: string;
  /** Identifies the exact content, if the server provides it. */
  validator: string | undefined;
  remove: () => Promise<void>;
}

const partEnding = '.part';
/** Bytes of a download between two checks of free disk space. */
const lookBytes = 16 * 2 ** 20;
const diskNearlyFull =
  'the server’s disk is nearly full: downloads leave 5 % of it free. Nothing was saved; try again later';
/** A slower server would hold one of the few slots for hours. */
export const minimumDownloadRate = { bytes: 1e6, milliseconds: 300_000 };
const loopbackHosts = new Set(['127.0.0.1', 'localhost', '[::1]']);
/** Whether an address is on this machine, as an operator's mirror may be. */
export const isLoopback = ({ hostname }: URL): boolean => loopbackHosts.has(hostname);
/** Partial downloads that are not resumed are removed after this time. */
const keptMilliseconds = 7 * 24 * 3_600_000;
/** A running download writes more often, whatever its server does. */
const silentMilliseconds = 600_000;
/** An unreachable server is retried for about three minutes. */
const defaultPauses = [1000, 4000, 10_000, 30_000, 60_000, 60_000];

/**
 * Downloads a file into its own folder in `folder`, under the last part of the address or the given name. Partial data
 * stays on the disk until it is removed: a broken or silent connection and a stopped download are resumed, and a
 * complete file is fetched again only if it has changed. Allows https, and http on loopback or, for an address given by
 * a user, where it may be private; no redirects to http or from the public internet to a private address. Throws
 * DownloadFailed, InsecureAddress, or the reason of the signal.
 */
export async function download(
  address: string,
  folder: string,
  {
    timeoutMilliseconds = 30_000,
    maxBytes = Infinity,
    pauses = defaultPauses,
    freeBytes = usualFreeBytes,
    leastRate = minimumDownloadRate,
    reservations,
    name,
    ...options
  }: DownloadOptions,
): Promise<Downloaded> {
  const url = new URL(address);
  const local = options.mayBePrivate ?? isLoopback;
  if (url.protocol !== 'https:' && !local(url)) {
    throw new InsecureAddress(`${url.origin}: datasets are downloaded over https only.`);
  }
  await removeStale(folder, freeBytes);
  const own = join(folder, downloadFolder(address, options.part));
  const remove = () => rm(own, { recursive: true, force: true });
  await mkdir(own, { recursive: true });
  const path = join(own, safeName(name ?? lastPartOf(url)));
  const part = await PartFile.open(path, reservations, () => freeBytes(own));
  try {
    await receive(url, part, {
      ...options,
      noun: 'dataset',
      pauses,
      timeoutMilliseconds,
      leastRate,
      maxBytes,
    });
    if (part.bytes === 0) throw new DownloadFailed(`${shownAddress(address)}: the file is empty.`);
    await part.finish();
    return { path, validator: part.validator, remove };
  } catch (error) {
    // Where space is short, what was left of failures would keep it from everybody.
    const short = (await part.room()) === 0;
    if (part.bytes === 0 || short) await remove();
    if (!(error instanceof ReceiveFailed)) throw error;
    throw new DownloadFailed(failureText(address, part, error, short));
  } finally {
    await part.close();
  }
}

/** Unique folder name for an address, or for a part of the file there. */
export function downloadFolder(address: string, part?: FilePart): string {
  const named = part ? `${address} ${part.offset} ${part.length} ${part.validator ?? ''}` : address;
  return createHash('sha256').update(named).digest('hex').slice(0, 32);
}

function failureText(
  address: string,
  { bytes, total, validator }: Received,
  { cause, attempts }: ReceiveFailed,
  short: boolean,
): string {
  if (cause.cause instanceof ForbiddenRedirect || cause.final)
    return `${shownAddress(address)}: ${cause.message}.`;
  const resumeHint =
    bytes > 0 && validator !== undefined && !short
      ? ` ${bytes} ${total > 0 ? `of ${total} ` : ''}bytes are kept: start the same download again to go on with them.`
      : '';
  return `${shownAddress(address)}: ${cause.message}, at attempt ${attempts}.${resumeHint}`;
}

/**
 * The received part of a file on disk, with a note that identifies its content. A complete file gets its final name and
 * keeps the note.
 */
class PartFile implements Received {
  readonly path: string;
  readonly #whole: string;
  readonly #file: FileHandle;
  readonly #reservation: Reservation;
  #bytes = 0;
  /** Time of the last disk check. */
  #lookedAt = 0;
  total = 0;
  validator: string | undefined;

  private constructor(whole: string, path: string, file: FileHandle, reservation: Reservation) {
    this.#whole = whole;
    this.path = path;
    this.#file = file;
    this.#reservation = reservation;
  }

  static async open(
    whole: string,
    reservations: string,
    freeBytes: () => Promise<number>,
  ): Promise<PartFile> {
    const path = `${whole}${partEnding}`;
    await rename(whole, path).catch(() => undefined);
    const file = await open(path, 'a+', 0o600);
    const part = new PartFile(whole, path, file, new Reservation(reservations, path, freeBytes));
    const note = await readFile(noteOf(path), 'utf8').then(JSON.parse, () => ({}));
    const { validator, total } = note as { validator?: unknown; total?: unknown };
    const { size } = await part.#file.stat();
    if (typeof validator === 'string' && typeof total === 'number' && (total === 0 || size <= total)) {
      Object.assign(part, { validator, total });
      part.#bytes = size;
    } else {
      await part.forget();
    }
    return part;
  }

  get bytes(): number {
    return this.#bytes;
  }

  room(): Promise<number> {
    return this.#reservation.room();
  }

  /** Reserves before it checks, so that of two downloads that start at once neither overlooks the other. */
  async reserve(): Promise<void> {
    const targetBytes = this.total > 0 ? this.total : this.#bytes + lookBytes;
    await onDisk(this.#reservation.take(targetBytes));
    const room = this.#bytes + (await this.room());
    if (targetBytes <= room) return;
    throw new AttemptFailed(
      this.total > 0
        ? `it is larger than what is free on the server’s disk (${fileSize(room)})`
        : diskNearlyFull,
      { final: true },
    );
  }

  async append(piece: Uint8Array): Promise<void> {
    // Others write to the same disk meanwhile, such as builds and uploads.
    if (this.#bytes - this.#lookedAt >= lookBytes) {
      this.#lookedAt = this.#bytes;
      if (this.total === 0) await this.reserve();
      else if ((await this.room()) === 0) throw new AttemptFailed(diskNearlyFull, { final: true });
    }
    if (this.#bytes === 0) await onDisk(this.#note());
    await onDisk(this.#file.appendFile(piece));
    this.#bytes += piece.byteLength;
  }

  async forget(): Promise<void> {
    await this.#file.truncate(0);
    this.#bytes = 0;
    this.#lookedAt = 0;
    this.total = 0;
    this.validator = undefined;
  }

  async finish(): Promise<void> {
    this.total = this.#bytes;
    await this.#note();
    await rename(this.path, this.#whole);
  }

  async close(): Promise<void> {
    await this.#reservation.release();
    await this.#file.close();
  }

  /** Records which content the bytes belong to, for another process. */
  async #note(): Promise<void> {
    const { validator, total } = this;
    if (validator === undefined) await rm(noteOf(this.path), { force: true });
    else await writeFile(noteOf(this.path), JSON.stringify({ validator, total }), { mode: 0o600 });
  }
}

/** Throws AttemptFailed. */
async function onDisk(written: Promise<void>): Promise<void> {
  try {
    await written;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new AttemptFailed(code === 'ENOSPC' ? 'the disk is full' : message, { final: true });
  }
}

function noteOf(part: string): string {
  return `${part}.json`;
}

export function lastPartOf({ pathname }: URL): string {
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    // Not encoded as an address should be: taken as it is.
    return last;
  }
}

/** Letters, digits and a few other characters of a name, so that a file with a stranger's name stays in its folder. */
export function safeName(rawName: string): string {
  const name = basename(rawName)
    .replaceAll(/[^\w.-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(-120);
  return name || 'download';
}

async function usualFreeBytes(folder: string): Promise<number> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return Math.max(0, (bavail - blocks / 20) * bsize);
}

/** Removes partial downloads after a week; on a full disk, all that are not running. */
export async function removeStale(folder: string, freeBytes = usualFreeBytes): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  if (names.length === 0) return;
  const maxAgeMs = (await freeBytes(folder)) === 0 ? silentMilliseconds : keptMilliseconds;
  for (const name of names) {
    const path = join(folder, name);
    if (Date.now() - (await lastChange(path)) > maxAgeMs) await rm(path, { recursive: true, force: true });
  }
}

/** Newest change of a folder and its files, in milliseconds since 1970. */
async function lastChange(folder: string): Promise<number> {
  const inside = await readdir(folder).catch(() => []);
  const paths = [folder, ...inside.map((name) => join(folder, name))];
  const times = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  );
  // Gone meanwhile: nothing to remove.
  return Math.max(...times) || Date.now();
}
