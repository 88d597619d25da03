import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';

export class ChildFailed extends Error {
  override readonly name = 'ChildFailed';

  constructor(command: string, reason: string) {
    super(`${command}: ${reason}`);
  }
}

/** Runs a program and returns the JSON in its last line of output. Throws ChildFailed. */
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

/** A program that answers each line of JSON with another line of JSON. */
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

  /** Throws ChildFailed if the program ends. */
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

interface ProcessMemory {
  /** Resident memory (VmRSS), including pages of mapped files. */
  resident: number;
  /** Maximum resident memory (VmHWM); unlike getrusage it excludes the parent's memory at the fork. */
  peak: number;
}

/** Reads /proc. Throws if the process has ended or the system is not Linux. */
export function processMemory(pid: number | 'self'): ProcessMemory {
  return parseStatus(readFileSync(`/proc/${pid}/status`, 'utf8'));
}

export function parseStatus(status: string): ProcessMemory {
  const bytes = (field: string): number => {
    const kibibytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
    if (kibibytes === undefined) throw new RangeError(`the status of the process has no ${field}`);
    return Number(kibibytes) * 1024;
  };
  return { resident: bytes('VmRSS'), peak: bytes('VmHWM') };
}

export const mebibyte = 2 ** 20;

/** Clock ticks of /proc, on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** Processor seconds used by a process with its threads, excluding its children. Reads /proc. */
export function processorSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program, in parentheses, may have spaces; what follows are numbered fields from the third on.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Writes arrays one after the other, little-endian, as numpy and R read them. */
export async function writeArrays(file: string, arrays: readonly ArrayBufferView[]): Promise<void> {
  await writeFile(
    file,
    Buffer.concat(
      arrays.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
    ),
  );
}

/** The steps of both sides by turns; the order alternates too, as the first finds colder caches. */
export async function alternate(rounds: number, steps: readonly (() => Promise<void>)[]): Promise<void> {
  for (let round = 0; round < rounds; round++)
    for (const step of round % 2 ? steps.toReversed() : steps) await step();
}
