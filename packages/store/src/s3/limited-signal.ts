import { StoreTimeout } from './patience.ts';

export interface LimitedSignal {
  readonly signal: AbortSignal;
  /** Gives it `milliseconds` from now. */
  extend(milliseconds: number): void;
  /** To be called in the end: it lets go of the timer and of the signal before it. */
  end(): void;
}

/** A signal that follows another one and, with StoreTimeout as its reason, the clock. */
export function limitedSignal(outer: AbortSignal | undefined, milliseconds: number): LimitedSignal {
  const controller = new AbortController();
  const follow = () => controller.abort(outer?.reason);
  const start = (time: number) => setTimeout(() => controller.abort(new StoreTimeout(time)), time);
  let timer = start(milliseconds);
  if (outer?.aborted) follow();
  else outer?.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    extend: (time) => {
      clearTimeout(timer);
      timer = start(time);
    },
    end: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', follow);
    },
  };
}
