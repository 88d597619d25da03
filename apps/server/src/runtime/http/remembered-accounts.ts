import { createHash } from 'node:crypto';
import type { Accounts, Member } from './access-policy.ts';
import { ShortMemory } from '../short-memory.ts';

/** How long an answer is believed: a sign-out or a new plan takes effect after this time at the latest. */
const memoryMilliseconds = 5000;

/**
 * Remembers for a few seconds what is known of a token and of a trial, so that a burst of calls by one
 * explorer does not ask the database twice for each.
 */
export function rememberAccounts(accounts: Accounts, now: () => number = Date.now): Accounts {
  const users = new ShortMemory<Member | undefined>(memoryMilliseconds, now);
  const trials = new ShortMemory<boolean>(memoryMilliseconds, now);
  return {
    // Tokens are secrets: only their digests are kept.
    userOf: (token) =>
      users.recall(createHash('sha256').update(token).digest('base64'), () => accounts.userOf(token)),
    // A revoked key must not open anything a moment longer.
    ownerOf: (apiKey) => accounts.ownerOf(apiKey),
    // Asked by few calls, and a right that was taken away must not open anything a moment longer.
    isOperator: (userId) => accounts.isOperator(userId),
    trialExpired: (userId) => trials.recall(userId, () => accounts.trialExpired(userId)),
  };
}
