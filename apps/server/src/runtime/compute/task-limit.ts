/** A task that is told to stop gets as long to do so; one that has been begun long ago is not waited for longer. */
const longestGrace = 2000;

/** The time that one task may take. */
export class TaskLimit {
  readonly #milliseconds: number;
  readonly #ask: () => void;
  readonly #end = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #passed = false;

  /** @param ask tells the task to stop */
  constructor(milliseconds: number, ask: () => void) {
    this.#milliseconds = milliseconds;
    this.#ask = ask;
  }

  /** Aborts when the task was told to stop and did not. */
  get endThread(): AbortSignal {
    return this.#end.signal;
  }

  get passed(): boolean {
    return this.#passed;
  }

  begin(): void {
    this.#timer = setTimeout(() => {
      this.#passed = true;
      this.#ask();
      this.#timer = setTimeout(() => this.#end.abort(), Math.min(longestGrace, this.#milliseconds));
    }, this.#milliseconds);
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}
