import { createHash } from 'node:crypto';
import type { Accounts, Member } from './access.ts';

/** How long an answer is believed: a sign-out or a new plan takes effect after this time at the latest. */
const memoryMilliseconds = 5000;

/** Answers kept of each kind; the oldest give way. */
const memorySize = 10_000;

/**
 * Remembers for a few seconds what is known of a token and of a trial, so that a burst of calls by one
 * explorer does not ask the database twice for each.
 */
export function rememberAccounts(accounts: Accounts, now: () => number = Date.now): Accounts {
  const users = new Memory<Member | undefined>(now);
  const trials = new Memory<boolean>(now);
  return {
    // Tokens are secrets: only their digests are kept.
    userOf: (token) =>
      users.recall(createHash('sha256').update(token).digest('base64'), () => accounts.userOf(token)),
    // A revoked key must not open anything a moment longer.
    ownerOf: (apiKey) => accounts.ownerOf(apiKey),
    trialExpired: (userId) => trials.recall(userId, () => accounts.trialExpired(userId)),
  };
}

class Memory<T> {
  readonly #answers = new Map<string, { readonly at: number; readonly answer: Promise<T> }>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  recall(key: string, ask: () => Promise<T>): Promise<T> {
    const known = this.#answers.get(key);
    if (known && this.#now() - known.at < memoryMilliseconds) return known.answer;
    const answer = ask();
    this.#answers.delete(key);
    this.#answers.set(key, { at: this.#now(), answer });
    // A failure to ask is not an answer.
    answer.catch(() => this.#answers.delete(key));
    const oldest = this.#answers.keys().next();
    if (this.#answers.size > memorySize && !oldest.done) this.#answers.delete(oldest.value);
    return answer;
  }
}
