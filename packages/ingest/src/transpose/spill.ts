import { closeSync, ftruncateSync, openSync, readSync, rmSync, unlinkSync, writeSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { H5adError } from '../h5ad-error.ts';

export interface Spill {
  append(bytes: NodeJS.ArrayBufferView): number;
  /** Fills `into` from a position returned by `append`, or from one after it. */
  read(position: number, into: Uint8Array): void;
}

/** For datasets that fit the memory budget as a whole. */
export class MemorySpill implements Spill {
  readonly #pieces: { start: number; bytes: Uint8Array }[] = [];
  #end = 0;

  append(bytes: NodeJS.ArrayBufferView): number {
    const start = this.#end;
    this.#pieces.push({
      start,
      bytes: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength).slice(),
    });
    this.#end += bytes.byteLength;
    return start;
  }

  read(position: number, into: Uint8Array): void {
    let low = 0;
    let high = this.#pieces.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#pieces[middle]!.start <= position) low = middle;
      else high = middle - 1;
    }
    const { start, bytes } = this.#pieces[low]!;
    into.set(bytes.subarray(position - start, position - start + into.length));
  }
}

export class FileSpill implements Spill {
  readonly #descriptor: number;
  #end = 0;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  append(bytes: NodeJS.ArrayBufferView): number {
    const start = this.#end;
    writeAt(this.#descriptor, bytes, start);
    this.#end += bytes.byteLength;
    return start;
  }

  read(position: number, into: Uint8Array): void {
    for (let done = 0; done < into.length;) {
      const got = readSync(this.#descriptor, into, done, into.length - done, position + done);
      if (got === 0) throw new Error('the temporary file is shorter than what was written to it');
      done += got;
    }
  }
}

export function writeAt(descriptor: number, bytes: NodeJS.ArrayBufferView, position: number): void {
  for (let done = 0; done < bytes.byteLength;)
    done += writeSync(descriptor, bytes, done, bytes.byteLength - done, position + done);
}

/** Temporary files that no crash can leave behind: each is unlinked as soon as it is open. */
export class SpillFiles {
  readonly descriptors: readonly number[];
  readonly #named: readonly string[];

  private constructor(descriptors: readonly number[], named: readonly string[]) {
    this.descriptors = descriptors;
    this.#named = named;
  }

  static async create(folder: string, count: number): Promise<SpillFiles> {
    await mkdir(folder, { recursive: true });
    const descriptors: number[] = [];
    const named: string[] = [];
    for (let i = 0; i < count; i++) {
      const path = join(folder, `.spill-${crypto.randomUUID()}`);
      descriptors.push(openSync(path, 'wx+', 0o600));
      try {
        unlinkSync(path);
      } catch {
        // Windows removes no open file: the name stays until close.
        named.push(path);
      }
    }
    return new SpillFiles(descriptors, named);
  }

  close(): void {
    for (const descriptor of this.descriptors) {
      // Frees the space now even where another process still holds the descriptor.
      ftruncateSync(descriptor);
      closeSync(descriptor);
    }
    for (const path of this.#named) rmSync(path, { force: true });
  }
}

/** H5adError for a full disk; undefined for any other failure. */
export function noSpace(error: unknown, path: string): H5adError | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return undefined;
  return new H5adError({
    code: 'no-space',
    path,
    part: '',
    problem: 'the disk is full.',
    hint: 'Nothing was imported; free some space (about twice the size of the matrix) and try again.',
    cause: error,
  });
}
