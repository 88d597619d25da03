import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ChildFailed } from '../../bench/src/measure/child.ts';
import { ask, type Reply } from './ask.ts';

export type ToAttacker = 'prepare' | 'control' | 'begin' | 'end';
export type FromAttacker =
  | { kind: 'prepared' | 'ended'; statuses: readonly (readonly [number, number])[] }
  | { kind: 'failed'; message: string };

export interface Attack {
  name: string;
  title: string;
  prepare?(attacker: Attacker): Promise<void>;
  run(attacker: Attacker, signal: AbortSignal): Promise<void>;
  /** The same work requested without the attack: others may wait as long for it as during the attack. */
  control?(attacker: Attacker, signal: AbortSignal): Promise<void>;
}

export const attackersAddress = '127.0.0.66';

export interface AttackerData {
  address: string;
  publishableKey: string;
  apiKey: string;
  token: string;
  userId: string;
  email: string;
  dataset: string;
  genes: readonly string[];
  scratch: string;
}

export class Attacker {
  readonly data: AttackerData;
  /** Number of responses by status; 0: the connection broke, or was cancelled at the end. */
  readonly statuses = new Map<number, number>();

  constructor(data: AttackerData) {
    this.data = data;
  }

  headers(as: 'account' | 'visitor' = 'account'): Record<string, string> {
    const { publishableKey, apiKey, token } = this.data;
    return {
      apikey: publishableKey,
      'x-api-key': apiKey,
      'x-session-id': 'attack',
      ...(as === 'account' && { authorization: `Bearer ${token}` }),
    };
  }

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
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }

  async inParallel(
    count: number,
    signal: AbortSignal,
    work: (lane: number, round: number) => Promise<unknown>,
  ): Promise<void> {
    await Promise.all(
      Array.from({ length: count }, async (_, lane) => {
        for (let round = 0; !signal.aborted; round += 1) {
          const begun = performance.now();
          await work(lane, round);
          // After a fast refusal, wait like a script would instead of sending as fast as possible.
          if (performance.now() - begun < 5) await sleep(5);
        }
      }),
    );
  }
}

interface Sending {
  body?: object | string | Buffer;
  headers?: Readonly<Record<string, string>>;
  as?: 'account' | 'visitor';
  signal?: AbortSignal;
  from?: string;
}

const entry = fileURLToPath(new URL('./attacker-child.ts', import.meta.url));
const endTimeoutMilliseconds = 20_000;

export class AttackingProcess {
  readonly #child: ChildProcess;
  readonly #name: string;

  constructor(name: string, data: AttackerData) {
    this.#name = name;
    this.#child = fork(entry, [name, JSON.stringify(data)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      detached: true,
    });
    lowerPriority(this.#child.pid!);
  }

  async prepare(): Promise<void> {
    await this.#send('prepare', 300_000);
  }

  begin(command: 'control' | 'begin'): void {
    this.#child.send(command satisfies ToAttacker);
  }

  /** Returns the number of responses by status since the first `begin`, without those of `control`. Throws ChildFailed. */
  async end(): Promise<ReadonlyMap<number, number>> {
    return new Map(await this.#send('end', endTimeoutMilliseconds));
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const closed = once(this.#child, 'close');
    this.#child.kill('SIGKILL');
    await closed;
  }

  async #send(command: ToAttacker, milliseconds: number): Promise<readonly (readonly [number, number])[]> {
    this.#child.send(command);
    const signal = AbortSignal.timeout(milliseconds);
    const answered = once(this.#child, 'message', { signal }) as Promise<[FromAttacker]>;
    const childExit = once(this.#child, 'close', { signal }).then(() => {
      throw new ChildFailed(this.#name, `ended before it answered ${command}`);
    });
    childExit.catch(() => undefined);
    const [message] = await Promise.race([answered, childExit]);
    if (message.kind === 'failed') throw new ChildFailed(this.#name, message.message);
    return message.statuses;
  }
}

/**
 * Real attackers run on other machines, so the process gets the lowest priority. With `sched_autogroup_enabled`
 * priorities apply only within a session, so its group gets the lowest priority too.
 */
function lowerPriority(pid: number): void {
  setPriority(pid, 19);
  const group = `/proc/${pid}/autogroup`;
  if (existsSync(group)) writeFileSync(group, '19');
}
