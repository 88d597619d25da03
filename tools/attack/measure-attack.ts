import { setTimeout as sleep } from 'node:timers/promises';
import { mebibyte, processMemory } from '../../bench/src/measure/child.ts';
import { accountPassword } from '../../bench/src/server/load-users.ts';
import { ask, type CallOptions } from './ask.ts';
import type { AttackedServer } from './attacked-server.ts';
import { type Attack, AttackingProcess } from './attacker.ts';
import { type MemoryCurve, type Phase, type Sample, spreadOf, type WatchedKind } from './statistics.ts';

interface AttackPlan {
  seconds: number;
  /** Each round has all phases, so that other load affects them alike. */
  rounds: number;
  /** Time without calls before the final memory is measured. */
  quietSeconds: number;
}

export interface AttackReport {
  samples: readonly Sample[];
  statuses: ReadonlyMap<number, number>;
  /** Seconds after each round until plots were as fast as before. */
  recoveries: readonly number[];
  memory: MemoryCurve;
  /** MiB, once per second. */
  curve: readonly number[];
}

const warmUpSeconds = 6;
const recoveryTimeoutMilliseconds = 60_000;

/** Measures an attack on a new server. Throws ChildFailed; an error of `/proc` when the server died. */
export async function measureAttack(
  { name, control }: Pick<Attack, 'name' | 'control'>,
  server: AttackedServer,
  { seconds, rounds, quietSeconds }: AttackPlan,
): Promise<AttackReport> {
  const others = new Bystanders(server);
  const attacking = new AttackingProcess(name, server.attacker);
  const resident = () => processMemory(server.pid).resident / mebibyte;
  const curve: number[] = [];
  let watch: NodeJS.Timeout | undefined;
  try {
    await attacking.prepare();
    await others.run(undefined, warmUpSeconds * 1000);
    // After the warm-up, as only the growth by the attack counts.
    await sleep(1000);
    const before = resident();
    watch = setInterval(() => curve.push(resident()), 1000);
    let statuses: ReadonlyMap<number, number> = new Map();
    const recoveries: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await others.run('before', seconds * 1000);
      const normal = 2 * spreadOf(others.samples, 'gene plot', 'before').median;
      if (control) {
        attacking.begin('control');
        await others.run('control', seconds * 1000);
        await attacking.end();
        await others.recover(normal, recoveryTimeoutMilliseconds);
      }
      attacking.begin('begin');
      await others.run('during', seconds * 1000);
      statuses = await attacking.end();
      recoveries.push((await others.recover(normal, recoveryTimeoutMilliseconds)) / 1000);
    }
    await others.run('after', seconds * 1000);
    await attacking.close();
    await sleep(quietSeconds * 1000);
    const after = resident();
    return {
      samples: others.samples,
      statuses,
      recoveries,
      memory: { before, peak: Math.max(before, ...curve), after },
      curve,
    };
  } finally {
    clearInterval(watch);
    await attacking.close();
  }
}

/** Milliseconds between two calls of a kind. */
const plotEvery = 400;
const signInEvery = 500;
const healthEvery = 250;
const callTimeoutMilliseconds = 60_000;

type BystandersOptions = Pick<AttackedServer, 'address' | 'users' | 'emails' | 'publishableKey'>;

/**
 * The other users: each draws one gene after another, another signs in repeatedly, and another checks the health. Calls
 * have a fixed schedule; the time of a call is measured from its scheduled start.
 */
class Bystanders {
  readonly samples: Sample[] = [];
  readonly #options: BystandersOptions;
  readonly #drawn: number[];
  #signedIn = 0;

  constructor(options: BystandersOptions) {
    this.#options = options;
    this.#drawn = options.users.map(() => 0);
  }

  async run(phase: Phase | undefined, milliseconds: number): Promise<void> {
    const end = performance.now() + milliseconds;
    const { users } = this.#options;
    await Promise.all([
      ...users.map((_, i) =>
        this.#repeat(
          { kind: 'gene plot', phase, end, every: plotEvery, offset: (i * plotEvery) / users.length },
          () => this.#gene(i),
        ),
      ),
      this.#repeat({ kind: 'sign-in', phase, end, every: signInEvery, offset: 100 }, () => this.#signIn()),
      this.#repeat({ kind: 'healthz', phase, end, every: healthEvery, offset: 50 }, () => ({
        method: 'GET',
        path: '/healthz',
        from: '127.0.1.1',
      })),
    ]);
  }

  /** Milliseconds until three plots in a row take at most `normal`; at most `timeout`. */
  async recover(normal: number, timeout: number): Promise<number> {
    const begun = performance.now();
    for (let fast = 0; fast < 3 && performance.now() - begun < timeout;) {
      const sent = performance.now();
      const { status } = await ask(this.#options.address, this.#gene(0), 0);
      fast = status === 200 && performance.now() - sent <= normal ? fast + 1 : 0;
      await sleep(100);
    }
    return performance.now() - begun;
  }

  async #repeat({ kind, phase, end, every, offset }: Repetition, call: () => CallOptions): Promise<void> {
    for (let due = performance.now() + offset; due < end; due += every) {
      await sleep(Math.max(0, due - performance.now()));
      const { status } = await ask(
        this.#options.address,
        { ...call(), signal: AbortSignal.timeout(callTimeoutMilliseconds) },
        0,
      );
      const milliseconds = performance.now() - due;
      if (phase !== undefined) this.samples.push({ kind, phase, milliseconds, status });
      // After a stall overdue calls are skipped instead of sent at once.
      if (performance.now() - due > 20 * every) due = performance.now();
    }
  }

  #gene(i: number): CallOptions {
    const { headers, genes } = this.#options.users[i]!;
    const gene = genes[this.#drawn[i]!++ % genes.length];
    return {
      method: 'POST',
      path: '/api/plot-umap-with-genes',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ genes: [gene] }),
      from: `127.0.1.${i + 2}`,
    };
  }

  /** Uses changing addresses, since sign-ins are limited per address. */
  #signIn(): CallOptions {
    const { emails, publishableKey } = this.#options;
    const nth = this.#signedIn++;
    return {
      method: 'POST',
      path: '/auth/v1/token?grant_type=password',
      headers: { apikey: publishableKey, 'content-type': 'application/json' },
      body: JSON.stringify({ email: emails[nth % emails.length], password: accountPassword }),
      from: `127.0.2.${(nth % 250) + 1}`,
    };
  }
}

interface Repetition {
  kind: WatchedKind;
  /** Undefined: not recorded. */
  phase: Phase | undefined;
  end: number;
  every: number;
  offset: number;
}
