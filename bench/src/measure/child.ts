import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A child process of the bench ended otherwise than it should. */
export class ChildFailed extends Error {
  readonly tag = 'ChildFailed';
  readonly command: string;

  constructor(command: string, reason: string) {
    super(`${command}: ${reason}`);
    this.name = 'ChildFailed';
    this.command = command;
  }
}

/** Runs a program to its end and returns the JSON of its last line of output. Throws ChildFailed. */
export async function runForJson(command: string, args: readonly string[]): Promise<unknown> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let last = '';
  const reading = (async () => {
    for await (const line of createInterface({ input: child.stdout })) last = line;
  })();
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  await reading;
  if (code !== 0) throw new ChildFailed(`${command} ${args.join(' ')}`, `ended with ${code ?? signal}`);
  return JSON.parse(last);
}

/** A program that answers each line of JSON on its input with one on its output. */
export class LineServer {
  readonly #child: ChildProcess;
  readonly #command: string;
  readonly #lines: AsyncIterator<string>;

  constructor(command: string, args: readonly string[]) {
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child = child;
    this.#command = `${command} ${args.join(' ')}`;
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** Throws ChildFailed where the program ends instead of answering. */
  async answer(): Promise<unknown> {
    const { done, value } = await this.#lines.next();
    if (done) throw new ChildFailed(this.#command, 'ended without an answer');
    return JSON.parse(value);
  }

  async ask(question: object): Promise<unknown> {
    this.#child.stdin!.write(`${JSON.stringify(question)}\n`);
    return this.answer();
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const closed = once(this.#child, 'close');
    this.#child.kill();
    await closed;
  }
}
