import type { FrameCompressor } from './frame-compressor.ts';
import { shardIndexBytes } from './shard-index.ts';
import type { ShardLayout } from './shard-layout.ts';
import { chunksPerShard } from './shard-layout.ts';
import type { StagedFile, StagedFolder } from './staged-folder.ts';

/** Inner chunks of one array being compressed or waiting for their turn: bounds the memory of a writer. */
const inFlightLimit = 8;
/** Compressed bytes gathered before they go to the file. */
const writeSize = 1 << 20;

/** Compresses inner chunks side by side and appends them to the shards of one array in order. */
export class ShardedArrayWriter {
  readonly #folder: StagedFolder;
  readonly #compressor: FrameCompressor;
  readonly #path: string;
  readonly #chunksPerShard: number;
  readonly #blockSize: number;
  readonly #free: Uint8Array[] = [];
  #tail: Promise<void> = Promise.resolve();
  #inFlight = 0;
  #wake: (() => void) | undefined;
  #failure: { readonly error: unknown } | undefined;

  #file: StagedFile | undefined;
  #shard = 0;
  #lengths: number[] = [];
  #pieces: Uint8Array[] = [];
  #pieceBytes = 0;

  constructor(
    to: { folder: StagedFolder; compressor: FrameCompressor },
    path: string,
    layout: ShardLayout,
    bytesPerValue: number,
  ) {
    this.#compressor = to.compressor;
    this.#folder = to.folder;
    this.#path = path;
    this.#chunksPerShard = chunksPerShard(layout);
    this.#blockSize = layout.innerLength * bytesPerValue;
  }

  /** A buffer of one inner chunk to fill and push. Its old content is undefined. */
  block(): Uint8Array {
    return this.#free.pop() ?? new Uint8Array(this.#blockSize);
  }

  /** Takes the next inner chunk, a buffer of `block`. Resolves when there is room for a further one. */
  async push(block: Uint8Array): Promise<void> {
    this.#throwFailure();
    this.#inFlight++;
    const frame = this.#compressor.compress(block);
    frame.catch(() => undefined);
    this.#tail = this.#afterTail(this.#tail, block, frame);
    while (this.#inFlight >= inFlightLimit) await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#throwFailure();
  }

  /** Resolves when the last shard is complete. Throws what writing threw. */
  async close(): Promise<void> {
    await this.#tail;
    this.#throwFailure();
    if (this.#file) await this.#finishShard(this.#file);
  }

  /** Never rejects: a failure is kept for the next caller. */
  async #afterTail(tail: Promise<void>, block: Uint8Array, frame: Promise<Uint8Array>): Promise<void> {
    try {
      await tail;
      const bytes = await frame;
      if (this.#free.length < inFlightLimit) this.#free.push(block);
      await this.#append(bytes);
    } catch (error) {
      this.#failure ??= { error };
    } finally {
      this.#inFlight--;
      this.#wake?.();
    }
  }

  #throwFailure(): void {
    if (this.#failure) throw this.#failure.error;
  }

  async #append(frame: Uint8Array): Promise<void> {
    if (this.#failure) return;
    this.#file ??= await this.#folder.create(`${this.#path}/c/${this.#shard}`);
    this.#pieces.push(frame);
    this.#pieceBytes += frame.length;
    this.#lengths.push(frame.length);
    if (this.#lengths.length === this.#chunksPerShard) await this.#finishShard(this.#file);
    else if (this.#pieceBytes >= writeSize) await this.#flush(this.#file);
  }

  async #flush(file: StagedFile): Promise<void> {
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#pieceBytes = 0;
    if (pieces.length > 0) await file.append(pieces);
  }

  async #finishShard(file: StagedFile): Promise<void> {
    await this.#flush(file);
    await file.append([shardIndexBytes(this.#lengths, this.#chunksPerShard)]);
    await file.close();
    this.#file = undefined;
    this.#lengths = [];
    this.#shard++;
  }
}
