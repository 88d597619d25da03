import { ByteCache, SharedWork } from '@cellfolio/store';
import type { ComputePool } from '../compute/compute-pool.ts';
import type { DrawnFigure, Task } from '../compute/task.ts';

/** Figures by their task: cached, drawn once for all who ask at the same time, off the event loop. */
export class FigureService {
  readonly #cache: ByteCache<string, DrawnFigure>;
  readonly #running = new SharedWork<string, DrawnFigure>();
  readonly #pool: Pick<ComputePool, 'run'>;

  constructor(pool: Pick<ComputePool, 'run'>, cacheBytes: number) {
    this.#pool = pool;
    this.#cache = new ByteCache(cacheBytes, ({ png }) => png.byteLength + specBytes);
  }

  async draw(task: Task, signal?: AbortSignal): Promise<DrawnFigure> {
    const key = keyOf(task);
    const cached = this.#cache.get(key);
    if (cached) return cached;
    return this.#running.run(key, signal, async (shared) => {
      const figure = await this.#pool.run(task, shared);
      this.#cache.set(key, figure);
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
