import { setTimeout as sleep } from 'node:timers/promises';
import { ask, type Reply } from './ask.ts';

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
