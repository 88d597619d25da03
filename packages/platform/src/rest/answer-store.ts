import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { RestError } from './rest-error.ts';

interface AnswerStoreOptions {
  /** Made when it is needed. What is written there has no name any more, so nothing is left behind by a crash. */
  readonly folder: string;
  /** Bytes of all answers that are being made or sent. */
  readonly totalBytes: number;
  /** Of those, bytes of one owner's. */
  readonly ownerBytes: number;
}

/** Answers no longer than this are kept in memory while they are sent, together at most so many bytes. */
const smallBytes = 1024 * 1024;
const memoryBytes = 64 * 1024 * 1024;
const pieceBytes = 64 * 1024;
/** Whoever does not take one piece more in this time is hung up on, in milliseconds. */
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

  /** Bytes of the answers that are being made or sent. */
  get heldBytes(): number {
    return this.#held;
  }

  /**
   * Begins an answer of about so many bytes. Throws RestError 429 where its owner has too many bytes under way
   * already, and 503 where everybody together has.
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
        hint: 'Read the answers that were asked for, then ask again.',
      });
    }
    if (this.#held + bytes > totalBytes) {
      throw new RestError(503, '53000', 'Too many large answers are under way', {
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
  readonly folder: string;
  take(bytes: number): void;
  give(bytes: number): void;
  /** Whether so many bytes may be kept in memory, which then are counted. */
  fitsMemory(bytes: number): boolean;
  freeMemory(bytes: number): void;
}

/** The body of one answer: written from front to end, then read once; release it in any case. */
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

  /** Bytes. */
  get length(): number {
    return this.#length;
  }

  /** Takes room for so many bytes altogether, where it has less. */
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

  /** The body as a text, where it is a short one: the answer is released then. */
  takeShort(): string | undefined {
    if (this.#length > pieceBytes) return undefined;
    const text = Buffer.concat(this.#pieces).toString();
    this.release();
    return text;
  }

  /** The body; it ends with an error where its reader takes nothing for a while, and releases the answer at its end. */
  read(): Readable {
    let timer: NodeJS.Timeout | undefined;
    const asked = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => read.destroy(new Error('the reader of an answer stalled')), stallMs);
    };
    const read = Readable.from(this.#read(asked), { objectMode: false, highWaterMark: pieceBytes });
    read.once('close', () => {
      clearTimeout(timer);
      this.release();
    });
    asked();
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

  /** `asked` hears of each piece that is wanted. */
  async *#read(asked: () => void): AsyncGenerator<Buffer> {
    for (const piece of this.#pieces) {
      for (let at = 0; at < piece.length; at += pieceBytes) {
        asked();
        yield piece.subarray(at, at + pieceBytes);
      }
    }
    for (let at = 0; this.#file && at < this.#length;) {
      asked();
      const { bytesRead, buffer } = await this.#file.read(Buffer.allocUnsafe(pieceBytes), 0, pieceBytes, at);
      if (bytesRead === 0) throw new Error('an answer was cut short');
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }
}
