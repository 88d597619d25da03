interface Timer {
  readonly at: number;
  /** Of two at the same time the one set first comes first. */
  readonly order: number;
  readonly happen: () => void;
}

/** The clock of a simulation, in milliseconds: does what was set, in order of its time. */
export class Timers {
  now = 0;
  /** A binary heap: no timer comes before the one at half its place. */
  readonly #heap: Timer[] = [];
  #set = 0;

  at(time: number, happen: () => void): void {
    const heap = this.#heap;
    const timer = { at: time, order: this.#set++, happen };
    let place = heap.length;
    heap.push(timer);
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (!earlier(timer, heap[above]!)) break;
      heap[place] = heap[above]!;
      place = above;
    }
    heap[place] = timer;
  }

  /** Goes on until nothing is set any more before the end. */
  run(end: number): void {
    for (;;) {
      const next = this.#heap[0];
      if (next === undefined || next.at > end) return;
      this.#takeFirst();
      this.now = next.at;
      next.happen();
    }
  }

  #takeFirst(): void {
    const heap = this.#heap;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && earlier(heap[below + 1]!, heap[below]!)) below += 1;
      if (!earlier(heap[below]!, last)) break;
      heap[place] = heap[below]!;
      place = below;
    }
    heap[place] = last;
  }
}

function earlier(one: Timer, other: Timer): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
