import { answerOf, type MapAnswer, type MapQuestion } from './map-question.ts';
import type { ThreadAnswer, ThreadCells, ThreadQuestion } from './map-thread.ts';
import type { MapView } from './map-view.ts';
import type { Points } from './points.ts';

/** Up to this number of cells, a polygon is answered faster on the page than the question reaches a worker. */
const cellsWithoutWorker = 50_000;

type PendingQuestion = Pick<PromiseWithResolvers<MapAnswer>, 'resolve' | 'reject'> & {
  question: MapQuestion;
};

/**
 * Selects and draws cells off the page's thread. The worker starts with the first question and holds a copy of the
 * positions (4 bytes per cell) until it is closed. If no worker can run, the page answers.
 */
export class MapWorker {
  readonly #points: Points;
  #worker: Worker | undefined;
  #failed = typeof Worker === 'undefined';
  readonly #waiting = new Map<number, PendingQuestion>();
  #lastId = 0;

  constructor(points: Points) {
    this.#points = points;
  }

  get bytes(): number {
    return this.#worker === undefined ? 0 : this.#points.positions.byteLength;
  }

  /**
   * `polygon`: corners x0, y0, x1, y1, … in [0, 1]² of the grid. Returns one bit per cell; rejects with an AbortError
   * if closed meanwhile.
   */
  async select(polygon: Float32Array): Promise<Uint8Array> {
    if (this.#points.placed <= cellsWithoutWorker) return this.#points.cellsIn(polygon);
    return this.#points.withoutUnplaced((await this.#ask({ polygon })) as Uint8Array);
  }

  /** Pixels of a view, see `paintPixels`; rejects with an AbortError if closed meanwhile. */
  async paint(view: MapView): Promise<Uint32Array<ArrayBuffer>> {
    return (await this.#ask({ view })) as Uint32Array<ArrayBuffer>;
  }

  close(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values())
      reject(new DOMException('The map was closed.', 'AbortError'));
    this.#waiting.clear();
  }

  #ask(question: MapQuestion): Promise<MapAnswer> {
    if (this.#failed) return Promise.resolve(answerOf(this.#points, question));
    this.#worker ??= this.#start();
    const { promise, resolve, reject } = Promise.withResolvers<MapAnswer>();
    const id = ++this.#lastId;
    this.#waiting.set(id, { question, resolve, reject });
    this.#worker.postMessage({ id, question } satisfies ThreadQuestion);
    return promise;
  }

  #start(): Worker {
    const worker = new Worker(new URL('./map-thread.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<ThreadAnswer>) => {
      this.#waiting.get(data.id)?.resolve(data.answer);
      this.#waiting.delete(data.id);
    });
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      this.#answerAll(worker);
    });
    const { positions, cells, placed, unplaced } = this.#points;
    worker.postMessage({ cells: { positions, cells, placed, unplaced } } satisfies ThreadCells);
    return worker;
  }

  /** Answers pending questions on the page: a worker that cannot load or run (page policy, memory) never replies. */
  #answerAll(worker: Worker): void {
    worker.terminate();
    this.#failed = true;
    this.#worker = undefined;
    for (const { question, resolve } of this.#waiting.values()) resolve(answerOf(this.#points, question));
    this.#waiting.clear();
  }
}
