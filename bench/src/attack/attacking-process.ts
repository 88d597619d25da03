import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { ChildFailed } from '../measure/child.ts';
import type { AttackerData } from './attacker.ts';
import type { FromAttacker, ToAttacker } from './attacker-child.ts';

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
