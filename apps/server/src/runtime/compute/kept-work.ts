import { ByteCache } from '@cellfolio/store';
import { JoinedWork, type CallContext } from './analysis-work.ts';

/** Work that runs once for concurrent callers, with a cache of results by key, bounded in bytes. */
export class KeptWork<Result extends object> {
  readonly #kept: ByteCache<string, Result>;
  readonly #running = new JoinedWork<Result>();

  constructor(maxBytes: number, sizeOf: (result: Result) => number) {
    this.#kept = new ByteCache(maxBytes, sizeOf);
  }

  /** The result of a key: cached, or computed as by `JoinedWork.run`. */
  async of(key: string, call: CallContext, work: (joined: CallContext) => Promise<Result>): Promise<Result> {
    const cached = this.known(key);
    if (cached !== undefined) return cached;
    return this.#running.run(key, call, async (joined) => {
      const result = await work(joined);
      this.#kept.set(key, result);
      return result;
    });
  }

  /** Undefined when not cached. */
  known(key: string): Result | undefined {
    return this.#kept.get(key);
  }

  get use() {
    return this.#kept.use;
  }

  forget(matches: (key: string) => boolean): void {
    this.#kept.forget(matches);
  }
}
