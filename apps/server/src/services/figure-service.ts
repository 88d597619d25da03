import type { ComputePool } from '../compute/compute-pool.ts';
import type { DrawnFigure, Task } from '../compute/task.ts';
import { ByteCache } from './byte-cache.ts';
import { SingleFlight } from './single-flight.ts';

/** Figures by their task: cached, drawn once for all who ask at the same time, off the event loop. */
export class FigureService {
  readonly #cache: ByteCache<DrawnFigure>;
  readonly #flights = new SingleFlight<DrawnFigure>();
  readonly #pool: Pick<ComputePool, 'run'>;

  constructor(pool: Pick<ComputePool, 'run'>, cacheBytes: number) {
    this.#pool = pool;
    this.#cache = new ByteCache(cacheBytes);
  }

  async draw(task: Task, signal?: AbortSignal): Promise<DrawnFigure> {
    const key = keyOf(task);
    const cached = this.#cache.get(key);
    if (cached) return cached;
    return this.#flights.run(key, signal, async (shared) => {
      const figure = await this.#pool.run(task, shared);
      this.#cache.set(key, figure, figure.png.byteLength + specBytes);
      return figure;
    });
  }
}

/** Allowance for the spec of a figure, which is a few kilobytes of text. */
const specBytes = 8 * 1024;

/** Visible cache key: dataset, its version, and all that the figure depends on. */
export function keyOf(task: Task): string {
  const { id, version } = task.dataset;
  return [id, version, task.kind, 'row' in task ? task.row : ''].join('|');
}
