import {
  AuthError,
  callerOfApiKey,
  createTokenVerifier,
  isOperator,
  secondStepPending,
  type Database,
  issuerOf,
  subscriptionOf,
} from '@cellfolio/platform';
import type { Accounts } from '../runtime/http/access-policy.ts';

/** Accounts as the platform keeps them. A token counts only while its session has not been signed out. */
export function platformAccounts(
  database: Database,
  { publicUrl, trialDays }: { publicUrl: string; trialDays: number },
): Accounts {
  const verifier = createTokenVerifier(database, { issuer: issuerOf(publicUrl) });
  return {
    async userOf(token) {
      try {
        const claims = await verifier.verify(token);
        const open = (await verifier.sessionAlive(claims)) && !(await secondStepPending(database, claims));
        return open ? { userId: claims.sub } : undefined;
      } catch (error) {
        if (error instanceof AuthError) return undefined;
        throw error;
      }
    },
    async ownerOf(apiKey) {
      const userId = await callerOfApiKey(database, apiKey);
      return userId === undefined ? undefined : { userId };
    },
    async trialExpired(userId) {
      const subscription = await subscriptionOf(database, userId, { trialDays });
      return subscription?.trialExpired ?? true;
    },
    isOperator: (userId) => isOperator(database, userId),
  };
}
