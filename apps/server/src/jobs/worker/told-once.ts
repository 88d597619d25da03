/**
 * What is tried each second and fails for the same reason each time is told once, until it has gone well: a database that
 * is away for half an hour is one line of the log.
 */
export class ToldOnce {
  readonly #told = new Set<string>();
  readonly #tell: (error: unknown) => void;

  constructor(tell: (error: unknown) => void) {
    this.#tell = tell;
  }

  failed(error: unknown): void {
    const { name, code, message } = error as NodeJS.ErrnoException;
    const reason = `${name} ${code ?? message}`;
    if (this.#told.has(reason)) return;
    this.#told.add(reason);
    this.#tell(error);
  }

  wentWell(): void {
    this.#told.clear();
  }
}
