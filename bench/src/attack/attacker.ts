import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ChildFailed } from '../measure/child.ts';
import { ask, type Reply } from './ask.ts';

/** Orders to the attacking process, and what it answers. */
export type ToAttacker = 'prepare' | 'begin' | 'end';
export type FromAttacker =
  | { readonly kind: 'prepared' | 'ended'; readonly answers: readonly (readonly [number, number])[] }
  | { readonly kind: 'failed'; readonly message: string };

/** Something that one user, or a visitor, does to a server so that others suffer. */
export interface Attack {
  readonly name: string;
  readonly title: string;
  /** What it needs to be there, made before anything is measured. */
  prepare?(attacker: Attacker): Promise<void>;
  /** Goes on until the signal; an answer of whatever status is no failure. */
  run(attacker: Attacker, signal: AbortSignal): Promise<void>;
}

/** Where the attacker calls from; nobody else does. */
export const attackersAddress = '127.0.0.66';

/** Who attacks whom; crosses to the process of the attacker as it is. */
export interface AttackerData {
  readonly address: string;
  readonly publishableKey: string;
  readonly apiKey: string;
  readonly token: string;
  readonly userId: string;
  /** Of an account of the Professional plan, and of the dataset that it has open. */
  readonly email: string;
  readonly dataset: string;
  readonly genes: readonly string[];
  /** For files to be uploaded. */
  readonly scratch: string;
}

/** One account of the attacker's, or nobody's: makes calls and counts how they were answered. */
export class Attacker {
  readonly data: AttackerData;
  /** Answers by status; 0: the connection broke, or was given up when the attack ended. */
  readonly answers = new Map<number, number>();

  constructor(data: AttackerData) {
    this.data = data;
  }

  /** Headers of the account, or of a visitor without one. */
  headers(as: 'account' | 'visitor' = 'account'): Record<string, string> {
    const { publishableKey, apiKey, token } = this.data;
    return {
      apikey: publishableKey,
      'x-api-key': apiKey,
      'x-session-id': 'attack',
      ...(as === 'account' && { authorization: `Bearer ${token}` }),
    };
  }

  /** Sends JSON, text or nothing, by default as the account. Never throws. */
  async send(
    method: string,
    path: string,
    { body, headers, as, signal, from = attackersAddress }: Sending = {},
  ): Promise<Reply> {
    const raw = typeof body === 'string' || Buffer.isBuffer(body);
    const reply = await ask(this.data.address, {
      method,
      path,
      headers: {
        ...this.headers(as),
        ...(body !== undefined && !raw && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: raw ? body : JSON.stringify(body) }),
      from,
      ...(signal && { signal }),
    });
    this.count(reply.status);
    return reply;
  }

  count(status: number): void {
    this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
  }

  /** So many at once do this again and again until the signal. */
  async inParallel(
    count: number,
    signal: AbortSignal,
    work: (place: number, round: number) => Promise<unknown>,
  ): Promise<void> {
    await Promise.all(
      Array.from({ length: count }, async (_, place) => {
        for (let round = 0; !signal.aborted; round += 1) {
          const begun = performance.now();
          await work(place, round);
          // What is refused at once is sent again like a busy script would, not as fast as this process can.
          if (performance.now() - begun < 5) await sleep(5);
        }
      }),
    );
  }
}

interface Sending {
  readonly body?: object | string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly as?: 'account' | 'visitor';
  readonly signal?: AbortSignal;
  readonly from?: string;
}

const entry = fileURLToPath(new URL('./attacker-child.ts', import.meta.url));
/** What an attack may need to end after it was told to; it is ended then. */
const patience = 20_000;

/** The process that attacks, told when to begin and to end. */
export class AttackingProcess {
  readonly #child: ChildProcess;
  readonly #name: string;

  constructor(name: string, data: AttackerData) {
    this.#name = name;
    this.#child = fork(entry, [name, JSON.stringify(data)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      detached: true,
    });
    takeWhatIsLeft(this.#child.pid!);
  }

  /** Throws ChildFailed. */
  async prepare(): Promise<void> {
    await this.#order('prepare', 300_000);
  }

  begin(): void {
    this.#child.send('begin' satisfies ToAttacker);
  }

  /** How all calls since the first beginning were answered. Throws ChildFailed. */
  async end(): Promise<ReadonlyMap<number, number>> {
    return new Map(await this.#order('end', patience));
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const closed = once(this.#child, 'close');
    this.#child.kill('SIGKILL');
    await closed;
  }

  async #order(order: ToAttacker, milliseconds: number): Promise<readonly (readonly [number, number])[]> {
    this.#child.send(order);
    const signal = AbortSignal.timeout(milliseconds);
    const answered = once(this.#child, 'message', { signal }) as Promise<[FromAttacker]>;
    const gone = once(this.#child, 'close', { signal }).then(() => {
      throw new ChildFailed(this.#name, `ended before it answered ${order}`);
    });
    gone.catch(() => undefined);
    const [message] = await Promise.race([answered, gone]);
    if (message.kind === 'failed') throw new ChildFailed(this.#name, message.message);
    return message.answers;
  }
}

/**
 * Attackers have machines of their own: on this one they are to take what is left. Where the kernel groups processes by
 * session (`sched_autogroup_enabled`), a priority counts within the group only, so the group gets the lowest as well.
 */
function takeWhatIsLeft(pid: number): void {
  setPriority(pid, 19);
  const group = `/proc/${pid}/autogroup`;
  if (existsSync(group)) writeFileSync(group, '19');
}
