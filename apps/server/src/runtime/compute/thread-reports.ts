import type { ByteRange, CacheUse, ObjectStore } from '@cellfolio/store';
import type { NamedCaches, Read, TaskReads } from '../observability/observed.ts';
import type { ThreadReport } from './task.ts';

const nothing = { hits: 0, misses: 0, evictions: 0 };

/** What the compute threads last said of their caches. Threads come and go; what the gone ones counted stays counted. */
export class ThreadReports {
  readonly #last = new Map<number, ThreadReport>();
  #goneExpression: Counts = nothing;
  #goneObjects: Counts = nothing;

  add(report: ThreadReport): void {
    this.#last.set(report.id, report);
  }

  /** @param here ids of the threads that there are; `own`: the use of the shared folder outside of them */
  caches(here: ReadonlySet<number>, own: CacheUse | undefined): NamedCaches {
    for (const [id, { expression, objects }] of this.#last) {
      if (here.has(id)) continue;
      this.#last.delete(id);
      this.#goneExpression = sum(this.#goneExpression, expression);
      if (objects) this.#goneObjects = sum(this.#goneObjects, objects);
    }
    const reports = [...this.#last.values()];
    const expression = reports.map((report) => report.expression);
    const objects = [own, ...reports.map((report) => report.objects)].filter((use) => use !== undefined);
    return [
      [
        'expression',
        {
          ...expression.reduce(sum, this.#goneExpression),
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
                ...objects.reduce(sum, this.#goneObjects),
                // One folder, of which each knows what it saw last.
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

/** NaN where none is known. */
function largest(numbers: readonly number[]): number {
  const known = numbers.filter((number) => !Number.isNaN(number));
  return known.length === 0 ? Number.NaN : Math.max(...known);
}

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
