import { join } from 'node:path';
import {
  AuthError,
  callerOfApiKey,
  createTokenVerifier,
  type Database,
  FileMailer,
  isOperator,
  issuerOf,
  type Mailer,
  secondStepPending,
  type SmsSender,
  SmtpMailer,
  subscriptionOf,
} from '@cellfolio/platform';
import type { Accounts } from '../runtime/http/access.ts';
import type { Settings } from './settings/read-settings.ts';

/** How mail leaves this server. */
export interface Mail {
  readonly mailer: Mailer;
  /** Without a mail server nobody could open a confirmation, so accounts confirm themselves. */
  readonly autoConfirm: boolean;
  readonly close: () => Promise<void>;
}

/** Mail by SMTP where a server is set, else as `.eml` files in the data folder. */
export function openMail({
  smtpUrl,
  mailFrom: from,
  dataDir,
}: Pick<Settings, 'smtpUrl' | 'mailFrom' | 'dataDir'>): Mail {
  if (smtpUrl === undefined) {
    const mailer = new FileMailer({ folder: join(dataDir, 'mail'), from });
    return { mailer, autoConfirm: true, close: async () => undefined };
  }
  const mailer = new SmtpMailer({ url: smtpUrl, from });
  return { mailer, autoConfirm: false, close: async () => mailer.close() };
}

const timeoutMs = 10_000;

/**
 * Hands text messages to the operator's gateway: POST of `{"to": "+41791234567", "text": "…"}`, with the token as
 * bearer where there is one. Throws where the gateway does not answer 2xx; the platform tries again then.
 */
export function webhookSms({ url, token }: { readonly url: string; readonly token?: string }): SmsSender {
  return {
    send: async ({ to, text }) => {
      const answer = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({ to: `+${to}`, text }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      await answer.body?.cancel();
      if (!answer.ok) throw new Error(`The gateway of SMS_WEBHOOK_URL answered ${answer.status}.`);
    },
  };
}

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
