/**
 * What is tried each second and fails for the same reason each time is logged once, until it has succeeded: a database
 * that is away for half an hour is one line of the log.
 */
export class LogOnce {
  readonly #logged = new Set<string>();
  readonly #log: (error: unknown) => void;

  constructor(log: (error: unknown) => void) {
    this.#log = log;
  }

  failed(error: unknown): void {
    const { name, code, message } = error as NodeJS.ErrnoException;
    const reason = `${name} ${code ?? message}`;
    if (this.#logged.has(reason)) return;
    this.#logged.add(reason);
    this.#log(error);
  }

  succeeded(): void {
    this.#logged.clear();
  }
}
