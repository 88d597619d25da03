import type { ByteRange, CacheUse, ObjectStore } from '@cellfolio/store';
import type { NamedCaches, Read, TaskReads } from '../observability/observed.ts';
import type { ThreadReport } from './task.ts';

const zero = { hits: 0, misses: 0, evictions: 0 };

/** Sums the cache statistics of the compute threads, including ended threads. */
export class ThreadReports {
  readonly #last = new Map<number, ThreadReport>();
  #endedExpression: Counts = zero;
  #endedObjects: Counts = zero;

  add(report: ThreadReport): void {
    this.#last.set(report.id, report);
  }

  /** `alive` holds the ids of the running threads; `own`: the disk cache as used by the main thread. */
  caches(alive: ReadonlySet<number>, own: CacheUse | undefined): NamedCaches {
    for (const [id, { expression, objects }] of this.#last) {
      if (alive.has(id)) continue;
      this.#last.delete(id);
      this.#endedExpression = sum(this.#endedExpression, expression);
      if (objects) this.#endedObjects = sum(this.#endedObjects, objects);
    }
    const reports = [...this.#last.values()];
    const expression = reports.map((report) => report.expression);
    const objects = [own, ...reports.map((report) => report.objects)].filter((use) => use !== undefined);
    return [
      [
        'expression',
        {
          ...expression.reduce(sum, this.#endedExpression),
          bytes: expression.reduce((bytes, use) => bytes + use.bytes, 0),
          limit: expression.reduce((bytes, use) => bytes + use.limit, 0),
        },
      ],
      ...(objects.length === 0
        ? []
        : [
            [
              'objects',
              {
                ...objects.reduce(sum, this.#endedObjects),
                // All threads share the folder; each knows the size that it saw last.
                bytes: largest(objects.map(({ bytes }) => bytes)),
                limit: largest(objects.map(({ limit }) => limit)),
              },
            ] as const,
          ]),
    ];
  }
}

type Counts = Pick<CacheUse, 'hits' | 'misses' | 'evictions'>;

function sum(a: Counts, b: Counts): Counts {
  return { hits: a.hits + b.hits, misses: a.misses + b.misses, evictions: a.evictions + b.evictions };
}

/** NaN when all are NaN. */
function largest(numbers: readonly number[]): number {
  const valid = numbers.filter((number) => !Number.isNaN(number));
  return valid.length === 0 ? Number.NaN : Math.max(...valid);
}

/** Maximum reads of one task in a trace: a whole matrix has too many. */
const maxTracedReads = 200;

const clock = (): number => performance.timeOrigin + performance.now();

/** Counts the reads of the running task; a thread runs one task at a time. */
export class ReadLog {
  #count = 0;
  #bytes = 0;
  #traced: Read[] | undefined;

  /** Wraps a store so that its reads are counted. */
  wrap<S extends ObjectStore>(objects: S): S {
    return new Proxy(objects, {
      get: (target, name) => {
        if (name === 'get')
          return (key: string, options?: { range?: ByteRange }) => this.#get(target, key, options);
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }

  /** Resets the counters for the next task. `keep`: also record each read. */
  begin(keep: boolean): void {
    this.#count = 0;
    this.#bytes = 0;
    this.#traced = keep ? [] : undefined;
  }

  get reads(): TaskReads {
    return { count: this.#count, bytes: this.#bytes, firstReads: this.#traced ?? [] };
  }

  async #get(target: ObjectStore, key: string, options?: { range?: ByteRange }): Promise<Uint8Array> {
    const startedAt = clock();
    const bytes = await target.get(key, options);
    this.#count += 1;
    this.#bytes += bytes.byteLength;
    if (this.#traced && this.#traced.length < maxTracedReads) {
      this.#traced.push({ key, startedAt, endedAt: clock(), bytes: bytes.byteLength });
    }
    return bytes;
  }
}
