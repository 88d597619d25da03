import { checksumBytes } from './chunks/chunk-buffer.ts';
import { crc32c } from './chunks/crc32c.ts';
import { shardIndexBytes } from './shard-index.ts';
import { chunkBytes, chunksPerShard, type ShardLayout } from './shard-layout.ts';
import type { StagedFile, StagedFolder } from './staged-folder.ts';

/** Bytes gathered before they go to the file; as many again may be on their way to it. */
const writeSize = 1 << 20;

/** Appends inner chunks with their checksums to the shards of one array, in order. */
export class ShardedArrayWriter {
  readonly #folder: StagedFolder;
  readonly #path: string;
  readonly #chunksPerShard: number;
  readonly #chunkBytes: number;
  readonly #free: Uint8Array[] = [];
  #writing: Promise<void> = Promise.resolve();
  #file: StagedFile | undefined;
  #shard = 0;
  /** Chunks of the shard at hand. */
  #chunks = 0;
  #gathered: Uint8Array[] = [];

  constructor(folder: StagedFolder, path: string, layout: ShardLayout, bytesPerValue: number) {
    this.#folder = folder;
    this.#path = path;
    this.#chunksPerShard = chunksPerShard(layout);
    this.#chunkBytes = chunkBytes(layout, bytesPerValue);
  }

  /** Memory for the values of one inner chunk, to be filled and pushed. Its old content is undefined. */
  block(): Uint8Array {
    const whole = this.#free.pop() ?? new Uint8Array(this.#chunkBytes);
    return whole.subarray(0, -checksumBytes);
  }

  /** Takes the next inner chunk, filled memory of `block`. Resolves when there is room for a further one. */
  async push(block: Uint8Array): Promise<void> {
    const chunk = new Uint8Array(block.buffer as ArrayBuffer);
    new DataView(chunk.buffer).setUint32(block.length, crc32c(block), true);
    this.#file ??= await this.#folder.create(`${this.#path}/c/${this.#shard}`);
    this.#gathered.push(chunk);
    this.#chunks++;
    if (this.#chunks === this.#chunksPerShard) await this.#finishShard(this.#file);
    else if (this.#gathered.length * this.#chunkBytes >= writeSize) await this.#flush(this.#file);
  }

  /** Resolves when the last shard is complete. Throws what writing threw. */
  async close(): Promise<void> {
    if (this.#file) await this.#finishShard(this.#file);
  }

  /** Waits for what was gathered before, while this is gathered: the disk works while the next chunks are filled. */
  async #flush(file: StagedFile): Promise<void> {
    await this.#writing;
    const pieces = this.#gathered;
    this.#gathered = [];
    this.#writing = file.append(pieces).then(() => void this.#free.push(...pieces));
    // Thrown where it is waited for.
    this.#writing.catch(() => undefined);
  }

  async #finishShard(file: StagedFile): Promise<void> {
    await this.#flush(file);
    await this.#writing;
    await file.append([shardIndexBytes(this.#chunks, this.#chunkBytes, this.#chunksPerShard)]);
    await file.close();
    this.#file = undefined;
    this.#chunks = 0;
    this.#shard++;
  }
}
