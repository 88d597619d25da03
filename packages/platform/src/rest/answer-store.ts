import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { RestError } from './rest-error.ts';

interface AnswerStoreOptions {
  /** Created on demand. Files there are unlinked at once, so a crash leaves nothing behind. */
  folder: string;
  /** Maximum bytes of all responses being built or sent. */
  totalBytes: number;
  ownerBytes: number;
}

/** Responses up to this length are kept in memory while they are sent, together at most this many bytes. */
const smallBytes = 1024 * 1024;
const memoryBytes = 64 * 1024 * 1024;
const pieceBytes = 64 * 1024;
/** A reader that takes no further piece in this many milliseconds is disconnected. */
const stallMs = 30_000;

/**
 * Buffers response bodies between the database and the client, so that a slow reader blocks neither a
 * transaction nor memory: short ones in memory, long ones in an unlinked file.
 */
export class AnswerStore {
  readonly #options: AnswerStoreOptions;
  readonly #owners = new Map<string, number>();
  #held = 0;
  #inMemory = 0;

  constructor(options: AnswerStoreOptions) {
    this.#options = options;
  }

  get heldBytes(): number {
    return this.#held;
  }

  /**
   * Starts a response of about this many bytes. Throws RestError 429 if its owner has too many bytes in progress, and
   * 503 if all owners together have.
   */
  begin(owner: string, bytes: number): BufferedAnswer {
    const answer = new BufferedAnswer({
      folder: this.#options.folder,
      take: (more) => this.#take(owner, more),
      give: (less) => this.#give(owner, less),
      fitsMemory: (more) => {
        if (this.#inMemory + more > memoryBytes) return false;
        this.#inMemory += more;
        return true;
      },
      freeMemory: (less) => {
        this.#inMemory -= less;
      },
    });
    answer.reserve(bytes);
    return answer;
  }

  #take(owner: string, bytes: number): void {
    const { ownerBytes, totalBytes } = this.#options;
    const mine = (this.#owners.get(owner) ?? 0) + bytes;
    const wait = { headers: { 'retry-after': '2' } };
    if (mine > ownerBytes) {
      throw new RestError(429, 'over_request_rate_limit', 'Too many large answers at a time', {
        ...wait,
        details: `At most ${ownerBytes} bytes of answers are in progress for one caller.`,
        hint: 'Read the pending answers, then try again.',
      });
    }
    if (this.#held + bytes > totalBytes) {
      throw new RestError(503, '53000', 'Too many large answers are in progress', {
        ...wait,
        details: `At most ${totalBytes} bytes of answers can be in progress at a time.`,
      });
    }
    this.#owners.set(owner, mine);
    this.#held += bytes;
  }

  #give(owner: string, bytes: number): void {
    const left = (this.#owners.get(owner) ?? 0) - bytes;
    if (left > 0) this.#owners.set(owner, left);
    else this.#owners.delete(owner);
    this.#held -= bytes;
  }
}

interface Room {
  folder: string;
  take(bytes: number): void;
  give(bytes: number): void;
  /** Whether this many bytes fit in memory; if so, counts them. */
  fitsMemory(bytes: number): boolean;
  freeMemory(bytes: number): void;
}

/** Body of one response: written from front to end, then read once; must always be released. */
export class BufferedAnswer {
  readonly #room: Room;
  #pieces: Buffer[] = [];
  #file: FileHandle | undefined;
  #reserved = 0;
  #inMemory = 0;
  #length = 0;
  #released = false;

  constructor(room: Room) {
    this.#room = room;
  }

  get length(): number {
    return this.#length;
  }

  /** Raises the reservation to this many bytes in total. */
  reserve(bytes: number): void {
    if (bytes <= this.#reserved) return;
    this.#room.take(bytes - this.#reserved);
    this.#reserved = bytes;
  }

  async write(text: string): Promise<void> {
    const piece = Buffer.from(text);
    this.reserve(this.#length + piece.length);
    this.#length += piece.length;
    this.#pieces.push(piece);
    if (!this.#file && this.#staysInMemory()) return;
    const file = await this.#open();
    for (const each of this.#pieces) await file.writeFile(each);
    this.#forget();
  }

  /** A short body as text, releasing the response; undefined for a long one. */
  takeShort(): string | undefined {
    if (this.#length > pieceBytes) return undefined;
    const text = Buffer.concat(this.#pieces).toString();
    this.release();
    return text;
  }

  /** Reads the body; fails if the reader stalls, and releases the response at its end. */
  read(): Readable {
    let timer: NodeJS.Timeout | undefined;
    const restartTimer = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => read.destroy(new Error('the reader of an answer stalled')), stallMs);
    };
    const read = Readable.from(this.#read(restartTimer), { objectMode: false, highWaterMark: pieceBytes });
    read.once('close', () => {
      clearTimeout(timer);
      this.release();
    });
    restartTimer();
    return read;
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#forget();
    this.#room.give(this.#reserved);
    void this.#file?.close().catch(() => {});
  }

  #staysInMemory(): boolean {
    if (this.#length <= pieceBytes) return true;
    const more = this.#length - this.#inMemory;
    if (this.#length > smallBytes || !this.#room.fitsMemory(more)) return false;
    this.#inMemory += more;
    return true;
  }

  async #open(): Promise<FileHandle> {
    if (this.#file) return this.#file;
    const { folder } = this.#room;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, randomUUID());
    this.#file = await open(path, 'wx+', 0o600);
    await unlink(path);
    return this.#file;
  }

  #forget(): void {
    this.#room.freeMemory(this.#inMemory);
    this.#inMemory = 0;
    this.#pieces = [];
  }

  async *#read(onRead: () => void): AsyncGenerator<Buffer> {
    for (const piece of this.#pieces) {
      for (let at = 0; at < piece.length; at += pieceBytes) {
        onRead();
        yield piece.subarray(at, at + pieceBytes);
      }
    }
    for (let at = 0; this.#file && at < this.#length;) {
      onRead();
      const { bytesRead, buffer } = await this.#file.read(Buffer.allocUnsafe(pieceBytes), 0, pieceBytes, at);
      if (bytesRead === 0) throw new Error('an answer was cut short');
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }
}
