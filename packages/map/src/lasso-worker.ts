import type { LassoPositions, LassoQuestion } from './lasso-thread.ts';
import type { Points } from './points.ts';

/** Up to so many cells the answer is there before a worker had got the question. */
const cellsWithoutWorker = 50_000;

type Waiting = Pick<PromiseWithResolvers<Uint8Array>, 'resolve' | 'reject'> & { polygon: Float32Array };

/**
 * Finds the cells within a polygon, in a worker where there are many. The worker starts with the first question and holds
 * a copy of the positions (4 bytes a cell) until it is closed. Where no worker can run, the page itself answers.
 */
export class LassoWorker {
  readonly #points: Points;
  #worker: Worker | undefined;
  #failed = typeof Worker === 'undefined';
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;

  constructor(points: Points) {
    this.#points = points;
  }

  /** Of the worker's copy. */
  get bytes(): number {
    return this.#worker === undefined ? 0 : this.#points.positions.byteLength;
  }

  /**
   * @param polygon corners x0, y0, x1, y1, … in [0, 1]² of the grid of positions
   * @returns one bit a cell; rejects with an AbortError where it is closed meanwhile
   */
  select(polygon: Float32Array): Promise<Uint8Array> {
    if (this.#failed || this.#points.placed <= cellsWithoutWorker)
      return Promise.resolve(this.#points.cellsIn(polygon));
    this.#worker ??= this.#start();
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    const id = ++this.#asked;
    this.#waiting.set(id, { polygon, resolve, reject });
    this.#worker.postMessage({ id, polygon } satisfies LassoQuestion);
    return promise;
  }

  close(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values())
      reject(new DOMException('The map was closed.', 'AbortError'));
    this.#waiting.clear();
  }

  #start(): Worker {
    const worker = new Worker(new URL('./lasso-thread.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<{ id: number; bits: Uint8Array }>) => {
      this.#waiting.get(data.id)?.resolve(this.#points.withoutUnplaced(data.bits));
      this.#waiting.delete(data.id);
    });
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      this.#answerAll(worker);
    });
    const { positions, placed } = this.#points;
    worker.postMessage({ positions, placed } satisfies LassoPositions);
    return worker;
  }

  /** A worker that cannot load or run (a policy of the page, memory) answers nothing. */
  #answerAll(worker: Worker): void {
    worker.terminate();
    this.#failed = true;
    this.#worker = undefined;
    for (const { polygon, resolve } of this.#waiting.values()) resolve(this.#points.cellsIn(polygon));
    this.#waiting.clear();
  }
}
