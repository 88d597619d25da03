import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { crc32 } from 'node:zlib';
import type { CacheUse } from '../byte-cache.ts';
import { eachLimited } from '../concurrency.ts';
import { OpenFiles } from '../open-files.ts';
import { blockBytes, type Span } from './span-fetches.ts';

const openFileLimit = 128;
/** Allocation unit of a disk. */
const diskPiece = 4096;
/** Minimum interval between updates of a block's modification time, which other processes read. */
const touchMilliseconds = 60_000;
/** A partial file younger than this may belong to another process. */
const partAge = 3600 * 1000;
const partSuffix = '.part';
const statsAtOnce = 16;
const shares = 64;

export interface CacheCounters {
  hits: number;
  misses: number;
  healed: number;
  evicted: number;
  /** Blocks that could not be written to the disk; their reads still succeeded. */
  unwritten: number;
}

/**
 * Blocks of objects as files in one folder, shared by several processes and threads: files are published by an atomic
 * rename and their content depends only on their name. Each process scans the folder whenever it has written a share
 * of the limit and evicts the least recently used files until an eighth of the limit is free, which keeps the folder
 * within the limit for up to four processes.
 */
export class CacheFolder {
  readonly counters: CacheCounters = { hits: 0, misses: 0, healed: 0, evicted: 0, unwritten: 0 };
  readonly #root: string;
  readonly #limit: number;
  readonly #open = new OpenFiles(openFileLimit);
  readonly #used = new Map<string, number>();
  readonly #touched = new Map<string, number>();
  /** Bytes written since the last scan; Infinity makes the first write scan. */
  #written = Infinity;
  readonly #share: number;
  #bytes = Number.NaN;
  /** Blocks on their way into the folder, which a scan may or may not see. */
  readonly #arriving = new Set<string>();
  /** Blocks that have come since the last scan began, with their bytes on the disk. */
  readonly #arrived = new Map<string, number>();
  #sweeping: Promise<void> | undefined;

  constructor(root: string, limit: number) {
    this.#root = resolve(root);
    this.#limit = limit;
    // At least one block, even for a small limit.
    this.#share = Math.max(limit / shares, blockBytes);
  }

  /** `bytes` counts the whole folder; the other counters only this process. */
  get use(): CacheUse {
    const { hits, misses, evicted: evictions } = this.counters;
    return { hits, misses, evictions, bytes: this.#bytes, limit: this.#limit };
  }

  /** The bytes [from, to) of a span, or undefined if they are missing or corrupt. Never throws. */
  async read(key: string, span: Span, from: number, to: number): Promise<BlockContent | undefined> {
    const content = await this.#read(key, span, from, to);
    if (content) this.counters.hits++;
    else this.counters.misses++;
    return content;
  }

  async #read(key: string, span: Span, from: number, to: number): Promise<BlockContent | undefined> {
    const name = blockName(key, span);
    const path = this.#path(key, name);
    try {
      const file = await this.#open.use(path, async ({ size, read }) => {
        const bytes = Buffer.allocUnsafeSlow(Math.min(size, bytesToRead(to)));
        await read(bytes, 0);
        return bytes;
      });
      const content = decodeBlock(name, file, from, to);
      if (content) {
        this.#use(name, path);
        return content;
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    }
    this.counters.healed++;
    await rm(path, { force: true }).catch(() => undefined);
    return undefined;
  }

  /** Stores a span; a write error is only counted. Never throws. */
  async write(key: string, span: Span, bytes: Uint8Array, objectSize: number): Promise<void> {
    const name = blockName(key, span);
    const path = this.#path(key, name);
    const part = `${path}.${randomBytes(6).toString('hex')}${partSuffix}`;
    const file = encodeBlock(name, bytes, objectSize);
    if (file.length > this.#target) return;
    try {
      await this.#makeRoom(onDisk(file.length));
      await mkdir(dirname(path), { recursive: true });
      await writeFile(part, file, { flag: 'wx' });
      // Not synced: after a power failure the checksums detect a torn file, and it is fetched again.
      this.#arriving.add(name);
      await rename(part, path);
      this.#bytes += onDisk(file.length);
      this.#arrived.set(name, onDisk(file.length));
      this.#used.set(name, Date.now());
    } catch {
      this.counters.unwritten++;
      await rm(part, { force: true }).catch(() => undefined);
    } finally {
      this.#arriving.delete(name);
    }
  }

  /** {@link removeBlocks} with open files closed first; reads in progress may still store some blocks. */
  async forget(prefix: string): Promise<void> {
    await this.#open.closeBelow(join(this.#root, folderName(prefix)));
    await removeBlocks(this.#root, prefix);
  }

  async close(): Promise<void> {
    await this.#sweeping;
    await this.#open.close();
  }

  get #target(): number {
    return (this.#limit * 7) / 8;
  }

  #use(name: string, path: string): void {
    const now = Date.now();
    this.#used.delete(name);
    this.#used.set(name, now);
    if (now - (this.#touched.get(name) ?? 0) < touchMilliseconds) return;
    this.#touched.set(name, now);
    const time = now / 1000;
    utimes(path, time, time).catch(() => undefined);
  }

  async #makeRoom(bytes: number): Promise<void> {
    this.#written += bytes;
    if (this.#written <= this.#share) return;
    // Readers wait only if the folder grows faster than it can be scanned.
    if (this.#sweeping && this.#written > 2 * this.#share) await this.#sweeping;
    if (this.#sweeping) return;
    const first = this.#written === Infinity;
    this.#written = bytes;
    this.#sweeping = this.#sweep(bytes).finally(() => (this.#sweeping = undefined));
    this.#sweeping.catch(() => undefined);
    if (first) await this.#sweeping;
  }

  async #sweep(coming: number): Promise<void> {
    const files: { name: string; path: string; bytes: number; used: number }[] = [];
    this.#arrived.clear();
    const names = await readdir(this.#root, { recursive: true }).catch(() => []);
    await eachLimited(names.length, statsAtOnce, async (i) => {
      const path = join(this.#root, names[i]!);
      const stats = await stat(path).catch(() => undefined);
      if (!stats?.isFile()) return;
      if (path.endsWith(partSuffix)) {
        if (Date.now() - stats.mtimeMs > partAge) await rm(path, { force: true });
        return;
      }
      const name = basename(path);
      const used = Math.max(stats.mtimeMs, this.#used.get(name) ?? 0);
      files.push({ name, path, bytes: onDisk(stats.size), used });
    });
    let bytes = coming + files.reduce((sum, file) => sum + file.bytes, 0);
    files.sort((a, b) => a.used - b.used);
    for (const { name, path, bytes: size, used } of files) {
      if (bytes <= this.#target) break;
      // Used since the scan.
      if ((this.#used.get(name) ?? 0) > used) continue;
      await rm(path, { force: true });
      this.#used.delete(name);
      this.#touched.delete(name);
      this.counters.evicted++;
      bytes -= size;
    }
    const seen = new Map(files.map((file) => [file.name, file.bytes]));
    const sum = (names: Iterable<string>, sizes: ReadonlyMap<string, number>) =>
      Array.from(names).reduce((total, name) => total + (sizes.get(name) ?? 0), 0);
    const unseen = Array.from(this.#arrived.keys()).filter((name) => !seen.has(name));
    // Blocks that still arrive are added by their writer.
    this.#bytes = bytes - coming - sum(this.#arriving, seen) + sum(unseen, this.#arrived);
    // Empty folders; rmdir fails for the others.
    for (const name of names) if (dirname(name) === '.') await rmdir(join(this.#root, name)).catch(() => {});
    for (const memory of [this.#used, this.#touched]) {
      for (const name of memory.keys()) if (!seen.has(name) && !this.#arrived.has(name)) memory.delete(name);
    }
  }

  #path(key: string, name: string): string {
    return join(this.#root, folderName(key), name);
  }
}

export async function removeBlocks(root: string, prefix: string): Promise<void> {
  await rm(join(resolve(root), folderName(prefix)), { recursive: true, force: true, maxRetries: 3 });
}

/** One folder for each first two parts of keys, so that everything below them can be deleted at once. */
function folderName(key: string): string {
  const owner = key.split('/', 2).join('/');
  return createHash('sha256').update(owner).digest('hex').slice(0, 24);
}

function onDisk(bytes: number): number {
  return Math.ceil(bytes / diskPiece) * diskPiece;
}

/**
 * A file of the cache: a header, then the bytes. The header contains the name of the span, the size of the whole
 * object and a checksum of each page, so that a torn, corrupt or misnamed file is detected without reading all of it.
 */
const headerBytes = 64;
const pageBytes = 64 * 1024;
const pages = blockBytes / pageBytes;
const format = 0x43_46_42_01;
const pagesAt = 32;
const headerCheckAt = pagesAt + 4 * pages;

export interface BlockContent {
  /** The requested bytes, preceded by those from the start of their first page. */
  bytes: Uint8Array;
  from: number;
  /** Length of the span, cut at the end of the object. */
  length: number;
  objectSize: number;
}

function blockName(key: string, { offset, length }: Span): string {
  return createHash('sha256').update(`${offset} ${length} ${key}`).digest('hex').slice(0, 40);
}

/** Content of the file for a span; `bytes` is shorter than the span if the object ends in it. */
function encodeBlock(name: string, bytes: Uint8Array, objectSize: number): Buffer {
  const file = Buffer.alloc(headerBytes + bytes.length);
  file.writeUInt32BE(format, 0);
  file.writeUInt32BE(bytes.length, 4);
  file.writeDoubleBE(objectSize, 8);
  file.write(name.slice(0, 32), 16, 'hex');
  for (let page = 0; page * pageBytes < bytes.length; page++) {
    file.writeUInt32BE(crc32(bytes.subarray(page * pageBytes, (page + 1) * pageBytes)), pagesAt + 4 * page);
  }
  file.writeUInt32BE(crc32(file.subarray(0, headerCheckAt)), headerCheckAt);
  file.set(bytes, headerBytes);
  return file;
}

/** Bytes from the start of the file that `decodeBlock` needs for the bytes before `to` of the span. */
function bytesToRead(to: number): number {
  return headerBytes + Math.ceil(to / pageBytes) * pageBytes;
}

/**
 * Decodes the bytes [from, to) of a span from the first bytes of its file; fewer if the object ends before `to`.
 * Undefined if the file is incomplete, corrupt or has another name.
 */
function decodeBlock(name: string, file: Buffer, from: number, to: number): BlockContent | undefined {
  if (file.length < headerBytes || file.readUInt32BE(0) !== format) return undefined;
  if (file.readUInt32BE(headerCheckAt) !== crc32(file.subarray(0, headerCheckAt))) return undefined;
  if (file.toString('hex', 16, 32) !== name.slice(0, 32)) return undefined;
  const length = file.readUInt32BE(4);
  const end = Math.min(to, length);
  const firstPage = Math.floor(Math.min(from, end) / pageBytes);
  for (let page = firstPage; page * pageBytes < end; page++) {
    const stop = Math.min(length, (page + 1) * pageBytes);
    const bytes = file.subarray(headerBytes + page * pageBytes, headerBytes + stop);
    if (bytes.length !== stop - page * pageBytes) return undefined;
    if (crc32(bytes) !== file.readUInt32BE(pagesAt + 4 * page)) return undefined;
  }
  return {
    bytes: file.subarray(headerBytes + firstPage * pageBytes, headerBytes + end),
    from: firstPage * pageBytes,
    length,
    objectSize: file.readDoubleBE(8),
  };
}
