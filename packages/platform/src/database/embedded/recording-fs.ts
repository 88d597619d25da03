import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { DurableNodeFs, type EngineModule } from './durable-node-fs.ts';

/** For tests: the content of a disk after a power cut that keeps only synced data. */

interface Inode {
  /** Content safe on disk; undefined: the whole file as at the start, under that name. */
  durable: Buffer | undefined;
  origin: string | undefined;
  pending: ({ at: number; bytes: Buffer } | { size: number })[];
}

interface Sizes {
  size?: number;
}
type Operation = (...parameters: unknown[]) => unknown;

interface Node {
  name: string;
}
interface Stream {
  node: Node;
  position: number;
}

/**
 * Runs on a real folder, and tracks which bytes and names were synced: bytes by fsync of their file, names by fsync of
 * their folder. As on ext4, XFS and Btrfs, and as PostgreSQL assumes, fsync of a new file also saves its first name.
 * Folders themselves count as safe once created.
 */
export class RecordingFs extends DurableNodeFs {
  readonly #root: string;
  readonly #honest: boolean;
  readonly #names = new Map<string, Inode>();
  readonly #durableNames = new Map<string, Inode>();
  readonly #start: string;

  /** `start` is a copy of `folder` in its current state; without `honest` the engine's syncs do nothing, as shipped. */
  constructor(folder: string, { start, honest }: { start: string; honest: boolean }) {
    super(folder);
    this.#root = folder;
    this.#start = start;
    this.#honest = honest;
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = relative(folder, join(entry.parentPath, entry.name));
      const inode: Inode = { durable: undefined, origin: path, pending: [] };
      this.#names.set(path, inode);
      this.#durableNames.set(path, inode);
    }
  }

  cut(target: string): void {
    mkdirSync(target);
    for (const entry of readdirSync(this.#root, { recursive: true, withFileTypes: true })) {
      if (entry.isDirectory())
        mkdirSync(join(target, relative(this.#root, join(entry.parentPath, entry.name))), {
          recursive: true,
        });
    }
    for (const [path, { durable, origin }] of this.#durableNames) {
      mkdirSync(dirname(join(target, path)), { recursive: true });
      if (durable) writeFileSync(join(target, path), durable, { mode: 0o600 });
      else if (origin) cpSync(join(this.#start, origin), join(target, path));
      else writeFileSync(join(target, path), '', { mode: 0o600 });
    }
  }

  protected override wire(module: EngineModule): void {
    if (this.#honest) super.wire(module);
    const { NODEFS } = module;
    const pathOf = (node: unknown): string =>
      relative(this.#root, (NODEFS as unknown as { realPath(node: unknown): string }).realPath(node));
    const streams = NODEFS.stream_ops as unknown as Record<string, Operation>;
    const nodes = NODEFS.node_ops as unknown as Record<string, Operation>;
    const after = (
      operations: Record<string, Operation>,
      name: string,
      record: (parameters: unknown[], before: unknown) => void,
      look: (parameters: unknown[]) => unknown = () => undefined,
    ): void => {
      // name-dictionary: names of the engine's own operations
      const original = operations[name]!;
      // name-dictionary: the same
      operations[name] = (...parameters) => {
        const before = look(parameters);
        const result = original(...parameters);
        record(parameters, before);
        return result;
      };
    };
    after(streams, 'write', ([stream, buffer, offset, length, position]) => {
      const at = (position as number | undefined) ?? (stream as Stream).position;
      const bytes = Buffer.from(
        (buffer as Uint8Array).slice(offset as number, (offset as number) + (length as number)),
      );
      this.#names.get(pathOf((stream as Stream).node))?.pending.push({ at, bytes });
    });
    const resized = (path: string, attributes: Sizes): void => {
      if (attributes.size !== undefined) this.#names.get(path)?.pending.push({ size: attributes.size });
    };
    after(streams, 'setattr', ([stream, attributes]) =>
      resized(pathOf((stream as Stream).node), attributes as Sizes),
    );
    after(nodes, 'setattr', ([node, attributes]) => resized(pathOf(node), attributes as Sizes));
    after(nodes, 'mknod', ([parent, name]) => {
      this.#names.set(join(pathOf(parent), name as string), {
        durable: undefined,
        origin: undefined,
        pending: [],
      });
    });
    after(nodes, 'unlink', ([parent, name]) => this.#names.delete(join(pathOf(parent), name as string)));
    after(
      nodes,
      'rename',
      ([, folder, name], before) => {
        const inode = this.#names.get(before as string);
        if (!inode) return;
        this.#names.delete(before as string);
        this.#names.set(join(pathOf(folder), name as string), inode);
      },
      ([node]) => pathOf(node),
    );
    if (this.#honest) after(streams, 'fsync', ([stream]) => this.#sync(pathOf((stream as Stream).node)));
  }

  #sync(path: string): void {
    const inode = this.#names.get(path);
    if (inode) {
      const named = [...this.#durableNames.values()].includes(inode);
      if (!named) this.#durableNames.set(path, inode);
      return this.#syncFile(inode);
    }
    // A folder: its names are now durable, and removed ones stay removed.
    const folder = path === '' ? '.' : path;
    for (const name of this.#durableNames.keys()) {
      if (dirname(name) === folder && !this.#names.has(name)) this.#durableNames.delete(name);
    }
    for (const [name, inside] of this.#names)
      if (dirname(name) === folder) this.#durableNames.set(name, inside);
  }

  #syncFile(inode: Inode): void {
    if (inode.pending.length === 0) return;
    let bytes =
      inode.durable ?? (inode.origin ? readFileSync(join(this.#start, inode.origin)) : Buffer.alloc(0));
    // Allocates the final size: growing per write would copy a log segment 2,000 times.
    const furthest = inode.pending.map((change) =>
      'size' in change ? change.size : change.at + change.bytes.length,
    );
    let size = bytes.length;
    bytes = Buffer.concat([bytes, Buffer.alloc(Math.max(0, Math.max(...furthest) - size))]);
    for (const change of inode.pending) {
      if ('size' in change) {
        bytes.fill(0, change.size, Math.max(size, change.size));
        size = change.size;
      } else {
        change.bytes.copy(bytes, change.at);
        size = Math.max(size, change.at + change.bytes.length);
      }
    }
    bytes = bytes.subarray(0, size);
    inode.durable = bytes;
    inode.pending = [];
  }
}
