import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadUser } from '../server/load-users.ts';
import { accountPassword } from '../server/load-users.ts';
import { ask, type Question } from './ask.ts';
import type { Phase, Sample, WatchedKind } from './statistics.ts';

/** How often each of the others calls, in milliseconds. */
const plotEvery = 400;
const signInEvery = 1000;
const healthEvery = 250;
/** A call that takes longer is given up and counts as failed. */
const longestCall = 60_000;

export interface BystandersOptions {
  readonly address: string;
  readonly users: readonly LoadUser[];
  readonly emails: readonly string[];
  readonly publishableKey: string;
}

/**
 * The users who do nothing wrong: each draws ever another gene, one after the other signs in, and somebody looks whether
 * the server lives. Each calls at a moment of their own; what comes late because the answer before was late waits from the
 * moment at which it was due.
 */
export class Bystanders {
  readonly samples: Sample[] = [];
  readonly #options: BystandersOptions;
  /** Genes that have been asked for, of each user. */
  readonly #asked: number[];
  #signedIn = 0;

  constructor(options: BystandersOptions) {
    this.#options = options;
    this.#asked = options.users.map(() => 0);
  }

  /** Goes on for so long, until the last call has been answered. */
  async live(phase: Phase | undefined, milliseconds: number): Promise<void> {
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

  /** Milliseconds until plots are drawn as fast as `usual` again, thrice in a row; at most `longest`. */
  async untilAsUsual(usual: number, longest: number): Promise<number> {
    const begun = performance.now();
    for (let fast = 0; fast < 3 && performance.now() - begun < longest;) {
      const sent = performance.now();
      const { status } = await ask(this.#options.address, this.#gene(0), 0);
      fast = status === 200 && performance.now() - sent <= usual ? fast + 1 : 0;
      await sleep(100);
    }
    return performance.now() - begun;
  }

  async #repeat({ kind, phase, end, every, offset }: Repetition, question: () => Question): Promise<void> {
    for (let due = performance.now() + offset; due < end; due += every) {
      await sleep(Math.max(0, due - performance.now()));
      const { status } = await ask(
        this.#options.address,
        { ...question(), signal: AbortSignal.timeout(longestCall) },
        0,
      );
      const milliseconds = performance.now() - due;
      if (phase !== undefined) this.samples.push({ kind, phase, milliseconds, status });
      // A stall is not followed by a flood of our own making: what was due longer ago is left out.
      if (performance.now() - due > 20 * every) due = performance.now();
    }
  }

  #gene(i: number): Question {
    const { headers, genes } = this.#options.users[i]!;
    const gene = genes[this.#asked[i]!++ % genes.length];
    return {
      method: 'POST',
      path: '/api/plot-umap-with-genes',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ genes: [gene] }),
      from: `127.0.1.${i + 2}`,
    };
  }

  /** From ever another address, as a limit for each counts them. */
  #signIn(): Question {
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
  readonly kind: WatchedKind;
  /** Undefined: not to be counted. */
  readonly phase: Phase | undefined;
  readonly end: number;
  readonly every: number;
  readonly offset: number;
}
