import type { ProgressEvent, ProgressRelay, ToldProgress } from './progress-relay.ts';

/** The call somebody watches: only its own user may. */
export interface CallRef {
  readonly userId: string;
  readonly requestId: string;
}

interface Call {
  last: ProgressEvent | undefined;
  finished: boolean;
  /** The work is done in this process. */
  own: boolean;
  watchers: number;
  readonly listeners: Set<() => void>;
}

/** Maximum wait for a call that has not started. */
const startTimeoutMilliseconds = 10_000;

/** Minimum time between two events of a call that are sent to other processes. */
const relayMilliseconds = 250;

/**
 * Passes progress of running calls from the work to its watchers: within this process, and with a relay between processes.
 */
export class ProgressHub {
  readonly #calls = new Map<string, Call>();
  readonly #relay: ProgressRelay | undefined;

  constructor(relay?: ProgressRelay) {
    this.#relay = relay;
    relay?.hear((told) => this.#hear(told));
  }

  /** Begins a call; the returned functions report on it and end it. */
  start(ref: CallRef): { report: (event: ProgressEvent) => void; finish: () => void } {
    const key = keyOf(ref);
    const call = this.#call(key);
    call.finished = false;
    call.own = true;
    let toldAt = Number.NEGATIVE_INFINITY;
    return {
      report: (event) => {
        call.last = event;
        wake(call);
        const now = performance.now();
        if (now - toldAt < relayMilliseconds) return;
        toldAt = now;
        this.#relay?.tell({ key, event, finished: false });
      },
      finish: () => {
        call.finished = true;
        this.#calls.delete(key);
        wake(call);
        this.#relay?.tell({ key, finished: true });
      },
    };
  }

  /** Only calls that somebody watches here are of interest. */
  #hear({ key, event, finished }: ToldProgress): void {
    const call = this.#calls.get(key);
    if (!call || call.own || call.watchers === 0) return;
    if (event) call.last = event;
    if (finished) {
      call.finished = true;
      this.#calls.delete(key);
    }
    wake(call);
  }

  /** Events of a call until it ends; waits a while for a call that has not begun. */
  async *watch(ref: CallRef, signal: AbortSignal): AsyncGenerator<ProgressEvent> {
    const key = keyOf(ref);
    const call = this.#call(key);
    let seen: ProgressEvent | undefined;
    call.watchers += 1;
    try {
      while (!signal.aborted) {
        if (call.last && call.last !== seen) {
          seen = call.last;
          yield seen;
          continue;
        }
        if (call.finished) return;
        const woken = await nextWake(call, signal, seen ? undefined : startTimeoutMilliseconds);
        if (!woken) return;
      }
    } finally {
      call.watchers -= 1;
      // A watcher of a call that never began, or that is done elsewhere, leaves nothing behind.
      if (call.watchers === 0 && !call.own && this.#calls.get(key) === call) this.#calls.delete(key);
    }
  }

  get size(): number {
    return this.#calls.size;
  }

  #call(key: string): Call {
    const call = this.#calls.get(key) ?? {
      last: undefined,
      finished: false,
      own: false,
      watchers: 0,
      listeners: new Set<() => void>(),
    };
    this.#calls.set(key, call);
    return call;
  }
}

function keyOf({ userId, requestId }: CallRef): string {
  return `${userId}|${requestId}`;
}

function wake(call: Call): void {
  for (const listener of call.listeners) listener();
}

/** True when the call moved, false when the timeout passed or the watcher left. */
function nextWake(call: Call, signal: AbortSignal, timeout: number | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (moved: boolean) => {
      call.listeners.delete(moves);
      signal.removeEventListener('abort', leaves);
      clearTimeout(timer);
      resolve(moved);
    };
    const moves = () => end(true);
    const leaves = () => end(false);
    const timer = timeout === undefined ? undefined : setTimeout(leaves, timeout);
    call.listeners.add(moves);
    signal.addEventListener('abort', leaves, { once: true });
  });
}
