import { fsyncSync } from 'node:fs';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** The parts of the engine's file system that are touched here; the library does not type them. */
interface EngineStream {
  readonly nfd: number;
  readonly path: string;
  readonly node: { readonly mode: number };
}

type Write = (
  stream: EngineStream,
  buffer: Uint8Array,
  offset: number,
  length: number,
  position?: number,
) => number;

export interface EngineModule {
  readonly NODEFS: {
    readonly stream_ops: { fsync?: (stream: EngineStream) => number; write: Write } & Record<string, unknown>;
    readonly node_ops: Record<string, unknown>;
  };
  readonly FS: { readonly ErrnoError: new (errno: number) => Error };
  /** A view of the engine's memory; another one once it has grown. */
  readonly HEAPU8: Uint8Array;
}

const kindMask = 0o170000;
const folderKind = 0o040000;
/** EIO, as the engine's C library numbers it. */
const ioError = 29;

/**
 * The library's Node file system with an fsync that syncs. Without it the engine's fsync is looked up, not found,
 * and reported as done. `fdatasync` cannot be reached this way, so WAL must be synced by `fsync`.
 */
export class DurableNodeFs extends NodeFS {
  /** Files and folders synced since the start. */
  syncs = 0;
  /** Bytes of write-ahead log written since the start. */
  walBytes = 0;
  #module: EngineModule | undefined;

  /** What the engine has taken for itself; 0 before it is started. */
  get memoryBytes(): number {
    return this.#module?.HEAPU8.byteLength ?? 0;
  }

  override async init(...parameters: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...parameters);
    const preRun = [...(emscriptenOpts.preRun ?? []), (module: unknown) => this.wire(module as EngineModule)];
    return { emscriptenOpts: { ...emscriptenOpts, preRun } };
  }

  /** Hooks the operations of one engine instance; they are objects of that instance, not shared. */
  protected wire(module: EngineModule): void {
    this.#module = module;
    const { NODEFS, FS } = module;
    NODEFS.stream_ops.fsync = (stream) => {
      const isFolder = (stream.node.mode & kindMask) === folderKind;
      try {
        fsyncSync(stream.nfd);
      } catch {
        // Windows cannot sync a folder, and does not need to.
        if (!(isFolder && process.platform === 'win32')) throw new FS.ErrnoError(ioError);
      }
      this.syncs++;
      return 0;
    };
    const write = NODEFS.stream_ops.write;
    NODEFS.stream_ops.write = (stream, buffer, offset, length, position) => {
      const written = write(stream, buffer, offset, length, position);
      if (stream.path.includes('/pg_wal/')) this.walBytes += written;
      return written;
    };
  }
}
