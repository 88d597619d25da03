import { fsyncSync, appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { NodeFS } from '@electric-sql/pglite/nodefs';

interface EngineNode {
  mode: number;
}

interface EngineStream {
  nfd: number;
  path: string;
  node: EngineNode;
}

type Write = (
  stream: EngineStream,
  buffer: Uint8Array,
  offset: number,
  length: number,
  position?: number,
) => number;

type Operation = (...parameters: unknown[]) => unknown;

export interface EngineModule {
  NODEFS: {
    realPath(node: unknown): string;
    stream_ops: { fsync?: (stream: EngineStream) => number; write: Write; setattr: unknown };
    node_ops: { setattr: unknown; mknod: unknown; rename: unknown };
  };
  FS: { ErrnoError: new (errno: number) => Error };
  HEAPU8: Uint8Array;
}

const kindMask = 0o170000;
const folderKind = 0o040000;
/** EIO and ENOSPC in the numbering of the engine's C library. */
const ioError = 29;
const noSpace = 51;
const fullCodes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);

/**
 * The library's Node file system with a working fsync. Without it the engine's fsync is looked up, not found, and
 * reported as done. `fdatasync` cannot be reached this way, so WAL must be synced by `fsync`.
 */
export class DurableNodeFs extends NodeFS {
  syncs = 0;
  walBytes = 0;
  /** Set if the last change of a file failed because the disk is full. */
  isFull = false;
  readonly #folder: string;
  readonly #unsynced: UnsyncedFiles | undefined;
  #module: EngineModule | undefined;

  /** `unsynced` spares files unchanged since the last checkpoint their sync after a crash. */
  constructor(folder: string, unsynced?: UnsyncedFiles) {
    super(folder);
    this.#folder = resolve(folder);
    this.#unsynced = unsynced;
  }

  get memoryBytes(): number {
    return this.#module?.HEAPU8.byteLength ?? 0;
  }

  override async init(...parameters: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...parameters);
    const preRun = [...(emscriptenOpts.preRun ?? []), (module: unknown) => this.wire(module as EngineModule)];
    return { emscriptenOpts: { ...emscriptenOpts, preRun } };
  }

  protected wire(module: EngineModule): void {
    this.#module = module;
    const { NODEFS, FS } = module;
    // Within the cluster, which may have been moved since.
    const pathOf = (node: unknown): string => NODEFS.realPath(node).slice(this.#folder.length + 1);
    NODEFS.stream_ops.fsync = (stream) => {
      const isFolder = (stream.node.mode & kindMask) === folderKind;
      if (!isFolder && this.#unsynced?.has(pathOf(stream.node)) === false) return 0;
      try {
        fsyncSync(stream.nfd);
      } catch (error) {
        // Windows cannot sync a folder, and does not need to.
        if (!(isFolder && process.platform === 'win32')) throw this.#refused(error, FS);
      }
      this.syncs++;
      return 0;
    };
    const { stream_ops: streams, node_ops: nodes } = NODEFS;
    const write = streams.write;
    streams.write = (stream, buffer, offset, length, position) => {
      this.#change(pathOf(stream.node), FS);
      const written = this.#watched(() => write(stream, buffer, offset, length, position));
      if (stream.path.includes('/pg_wal/')) this.walBytes += written;
      return written;
    };
    const noted = (original: unknown, changed: (...parameters: unknown[]) => string): Operation => {
      return (...parameters) => {
        this.#change(changed(...parameters), FS);
        return this.#watched(() => (original as Operation)(...parameters));
      };
    };
    streams.setattr = noted(streams.setattr, (stream) => pathOf((stream as EngineStream).node));
    nodes.setattr = noted(nodes.setattr, pathOf);
    nodes.mknod = noted(nodes.mknod, (folder, name) => join(pathOf(folder), name as string));
    nodes.rename = noted(nodes.rename, (_, folder, name) => join(pathOf(folder), name as string));
  }

  #change(path: string, FS: EngineModule['FS']): void {
    try {
      this.#unsynced?.add(path);
    } catch (error) {
      throw this.#refused(error, FS);
    }
  }

  /** The library's errors carry C library numbers; records that of a full disk. */
  #watched<Result>(work: () => Result): Result {
    try {
      const result = work();
      this.isFull = false;
      return result;
    } catch (error) {
      this.isFull = (error as { errno?: unknown }).errno === noSpace;
      throw error;
    }
  }

  #refused(error: unknown, FS: EngineModule['FS']): Error {
    this.isFull = fullCodes.has((error as NodeJS.ErrnoException).code);
    return new FS.ErrnoError(this.isFull ? noSpace : ioError);
  }
}

/**
 * Files written since the last checkpoint, listed in a file beside the cluster. After a crash PostgreSQL syncs its
 * whole folder before it replays the log: a thousand files, one after the other, which takes many seconds on a busy
 * disk. Files not written since the last checkpoint were synced by it at the latest. The list itself need not be
 * synced: it names files that may be in the operating system's page cache and not yet on disk, and is lost together
 * with that cache.
 */
export class UnsyncedFiles {
  readonly #list: string;
  /** Undefined while unknown: every file may be among them. */
  #paths: Set<string> | undefined;

  /** `list` is the path of the file; if it is missing, the set is unknown until the next checkpoint. */
  constructor(list: string) {
    this.#list = list;
    try {
      this.#paths = new Set(readFileSync(list, 'utf8').split('\n'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }

  get isKnown(): boolean {
    return this.#paths !== undefined;
  }

  /** Call before a file is changed. Throws if the list cannot be written. */
  add(path: string): void {
    if (!this.#paths || this.#paths.has(path)) return;
    // A full disk may have truncated an earlier append: start a new line.
    appendFileSync(this.#list, `\n${path}\n`);
    this.#paths.add(path);
  }

  has(path: string): boolean {
    return this.#paths?.has(path) ?? true;
  }

  /** Call after a checkpoint, which synced all files. */
  clear(): void {
    writeFileSync(`${this.#list}.new`, '');
    renameSync(`${this.#list}.new`, this.#list);
    this.#paths = new Set();
  }
}
