import { ByteCache } from '@cellfolio/store';
import { JoinedWork, type CallContext } from './analysis-work.ts';

/** Work that runs once for concurrent callers, with a cache of results by key, bounded in bytes. */
export class KeptWork<Result extends object> {
  readonly #cache: ByteCache<string, Result>;
  readonly #running = new JoinedWork<Result>();

  constructor(maxBytes: number, sizeOf: (result: Result) => number) {
    this.#cache = new ByteCache(maxBytes, sizeOf);
  }

  /** The result of a key: cached, or computed as by `JoinedWork.run`. */
  async of(key: string, call: CallContext, work: (joined: CallContext) => Promise<Result>): Promise<Result> {
    const cached = this.cached(key);
    if (cached !== undefined) return cached;
    return this.#running.run(key, call, async (joined) => {
      const result = await work(joined);
      this.#cache.set(key, result);
      return result;
    });
  }

  /** Undefined when not cached. */
  cached(key: string): Result | undefined {
    return this.#cache.get(key);
  }

  get use() {
    return this.#cache.use;
  }

  forget(matches: (key: string) => boolean): void {
    this.#cache.forget(matches);
  }
}
