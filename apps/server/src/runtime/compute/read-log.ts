import type { ByteRange, ObjectStore } from '@cellfolio/store';
import type { Read, TaskReads } from '../observability/observed.ts';

/** A trace of a task that reads the whole matrix has its first reads only. */
const keptReads = 200;

const clock = (): number => performance.timeOrigin + performance.now();

/** Counts what one task after another reads of the stores it stands before; a thread does one task at a time. */
export class ReadLog {
  #count = 0;
  #bytes = 0;
  #kept: Read[] | undefined;

  /** The same store, with every read of it counted here. */
  before<S extends ObjectStore>(objects: S): S {
    return new Proxy(objects, {
      get: (target, name) => {
        if (name === 'get')
          return (key: string, options?: { range?: ByteRange }) => this.#get(target, key, options);
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }

  /** Forgets the task before; `keep` says whether each read of the next is to be kept. */
  begin(keep: boolean): void {
    this.#count = 0;
    this.#bytes = 0;
    this.#kept = keep ? [] : undefined;
  }

  taken(): TaskReads {
    return { count: this.#count, bytes: this.#bytes, kept: this.#kept ?? [] };
  }

  async #get(target: ObjectStore, key: string, options?: { range?: ByteRange }): Promise<Uint8Array> {
    const startedAt = clock();
    const bytes = await target.get(key, options);
    this.#count += 1;
    this.#bytes += bytes.byteLength;
    if (this.#kept && this.#kept.length < keptReads) {
      this.#kept.push({ key, startedAt, endedAt: clock(), bytes: bytes.byteLength });
    }
    return bytes;
  }
}
