import type { ProgressEvent } from '@cellfolio/contract';
import type { ProgressMessage, ProgressRelay } from './progress-relay.ts';

export interface CallRef {
  userId: string;
  requestId: string;
}

interface Call {
  last: ProgressEvent | undefined;
  finished: boolean;
  /** It runs in this process. */
  own: boolean;
  watchers: number;
  listeners: Set<() => void>;
}

/** Maximum wait for a call that has not started. */
const startTimeoutMilliseconds = 10_000;

/** Minimum time between two events of a call that are sent to other processes. */
const relayMilliseconds = 250;

export class ProgressHub {
  readonly #calls = new Map<string, Call>();
  readonly #relay: ProgressRelay | undefined;

  constructor(relay?: ProgressRelay) {
    this.#relay = relay;
    relay?.onMessage((message) => this.#receive(message));
  }

  start(ref: CallRef): { report: (event: ProgressEvent) => void; finish: () => void } {
    const key = keyOf(ref);
    const call = this.#call(key);
    call.finished = false;
    call.own = true;
    let sentAt = Number.NEGATIVE_INFINITY;
    return {
      report: (event) => {
        call.last = event;
        wake(call);
        const now = performance.now();
        if (now - sentAt < relayMilliseconds) return;
        sentAt = now;
        this.#relay?.send({ key, event, finished: false });
      },
      finish: () => {
        call.finished = true;
        this.#calls.delete(key);
        wake(call);
        this.#relay?.send({ key, finished: true });
      },
    };
  }

  #receive({ key, event, finished }: ProgressMessage): void {
    const call = this.#calls.get(key);
    if (!call || call.own || call.watchers === 0) return;
    if (event) call.last = event;
    if (finished) {
      call.finished = true;
      this.#calls.delete(key);
    }
    wake(call);
  }

  /** Events of a call until it ends. A call that does not start within a timeout has none. */
  async *watch(ref: CallRef, signal: AbortSignal): AsyncGenerator<ProgressEvent> {
    const key = keyOf(ref);
    const call = this.#call(key);
    let lastEvent: ProgressEvent | undefined;
    call.watchers += 1;
    try {
      while (!signal.aborted) {
        if (call.last && call.last !== lastEvent) {
          lastEvent = call.last;
          yield lastEvent;
          continue;
        }
        if (call.finished) return;
        const woken = await nextWake(call, signal, lastEvent ? undefined : startTimeoutMilliseconds);
        if (!woken) return;
      }
    } finally {
      call.watchers -= 1;
      // Calls of other processes, or that never started, are not ended by `finish`.
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

/** True after an event, false after the timeout or the abort. */
function nextWake(call: Call, signal: AbortSignal, timeout: number | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isEvent: boolean) => {
      call.listeners.delete(onEvent);
      signal.removeEventListener('abort', onEnd);
      clearTimeout(timer);
      resolve(isEvent);
    };
    const onEvent = () => end(true);
    const onEnd = () => end(false);
    const timer = timeout === undefined ? undefined : setTimeout(onEnd, timeout);
    call.listeners.add(onEvent);
    signal.addEventListener('abort', onEnd, { once: true });
  });
}
