import { SharedWork } from '../concurrency.ts';
import type { ByteRange } from '../object-store.ts';
import type { FetchedBytes, FetchOptions } from '../s3/s3-object-store.ts';

/** Bytes in one file of the cache. */
export const blockBytes = 256 * 1024;
/**
 * Shorter ranges are cached on their own: the index of a shard is at its end, and the bytes before it are not needed.
 */
const smallRange = 16 * 1024;

export type Span = ByteRange;

export function spansOf(range: ByteRange): Span[] {
  if (range.length > smallRange) return blocksOf(range);
  return range.length === 0 ? [] : [range];
}

export function blocksOf({ offset, length }: ByteRange): Span[] {
  const spans: Span[] = [];
  for (let at = offset - (offset % blockBytes); at < offset + length; at += blockBytes) {
    spans.push({ offset: at, length: blockBytes });
  }
  return spans;
}

export function partOf({ offset, length }: ByteRange, span: Span): { from: number; to: number } {
  return {
    from: Math.max(offset - span.offset, 0),
    to: Math.min(offset + length - span.offset, span.length),
  };
}

function rangeOf(spans: readonly Span[]): ByteRange {
  const first = spans[0]!;
  const last = spans.at(-1)!;
  return { offset: first.offset, length: last.offset + last.length - first.offset };
}

export type FetchRange = (key: string, options: FetchOptions) => Promise<FetchedBytes>;

interface SpanRequest {
  span: Span;
  signal: AbortSignal;
  resolve: (fetched: FetchedBytes) => void;
  reject: (error: unknown) => void;
}

const maxRunBytes = 8 * 1024 * 1024;

/**
 * Fetches spans: adjacent ones in one request, and each only once for concurrent readers. A request is cancelled when
 * no reader waits for any of its spans.
 */
export class SpanFetches {
  readonly #fetch: FetchRange;
  readonly #keep: (key: string, span: Span, fetched: FetchedBytes) => Promise<void>;
  readonly #running = new SharedWork<string, FetchedBytes>();

  /** `keep` is called with every span before its readers get it. */
  constructor(fetch: FetchRange, keep: (key: string, span: Span, fetched: FetchedBytes) => Promise<void>) {
    this.#fetch = fetch;
    this.#keep = keep;
  }

  /** `spans`: of one object, in ascending order. Rejects with the error of the fetch. */
  async get(
    key: string,
    spans: readonly Span[],
    signal: AbortSignal | undefined,
  ): Promise<readonly FetchedBytes[]> {
    const requests: SpanRequest[] = [];
    const results = spans.map((span) =>
      this.#running.run(
        `${span.offset} ${span.length} ${key}`,
        signal,
        (shared) =>
          new Promise((resolve, reject) => requests.push({ span, signal: shared, resolve, reject })),
      ),
    );
    for (const run of runsOf(requests)) void this.#getRun(key, run);
    return Promise.all(results);
  }

  async #getRun(key: string, run: readonly SpanRequest[]): Promise<void> {
    const stop = new AbortController();
    const leave = () => {
      if (run.every(({ signal }) => signal.aborted)) stop.abort(run[0]?.signal.reason);
    };
    for (const { signal } of run) signal.addEventListener('abort', leave, { once: true });
    try {
      const range = rangeOf(run.map(({ span }) => span));
      const { bytes, objectSize } = await this.#fetch(key, { range, signal: stop.signal });
      await Promise.all(
        run.map(async ({ span, resolve }) => {
          const from = span.offset - range.offset;
          const part = { bytes: bytes.subarray(from, from + span.length), objectSize };
          // Empty beyond the end of the object.
          if (part.bytes.length > 0) await this.#keep(key, span, part);
          resolve(part);
        }),
      );
    } catch (error) {
      for (const { reject } of run) reject(error);
    } finally {
      for (const { signal } of run) signal.removeEventListener('abort', leave);
    }
  }
}

function runsOf(requests: readonly SpanRequest[]): SpanRequest[][] {
  const runs: SpanRequest[][] = [];
  let end: number | undefined;
  let length = 0;
  for (const one of requests) {
    const { span } = one;
    if (span.offset !== end || length + span.length > maxRunBytes) {
      runs.push([]);
      length = 0;
    }
    runs.at(-1)!.push(one);
    end = span.offset + span.length;
    length += span.length;
  }
  return runs;
}
