import { productFunctions } from './functions.ts';
import { join } from 'node:path';
import {
  AuthError,
  createTokenVerifier,
  type Database,
  FileMailer,
  FunctionError,
  issuerOf,
  type Mailer,
  type PlatformOptions,
  type ProjectKeys,
  provisionKeys,
  secondStepPending,
  type SmsSender,
  SmtpMailer,
  type ServiceAdmissions,
} from '@cellfolio/platform';
import { callerOfApiKey, isOperator } from '../features/accounts/index.ts';
import { type ServerFigures } from '../features/ai/index.ts';
import { endPayments, subscriptionOf } from '../features/billing/index.ts';
import { type DemoAccounts, demoAccounts } from '../features/demo/index.ts';
import { userFileBuckets } from '../features/uploads/index.ts';
import type { Accounts } from '../runtime/http/access.ts';
import { ownerOfUser } from '../runtime/owners.ts';
import { type OpenProcess, originOf } from './open-process.ts';
import type { Settings } from './settings/read-settings.ts';

export interface Site {
  /** Address of the site; port 0 when the system chooses one. */
  origin: string;
  keys: ProjectKeys;
  /** Empty outside demo mode. */
  demoAccounts: DemoAccounts;
  mail: Mail;
}

interface Mail {
  mailer: Mailer;
  /** Without a mail server no confirmation can be delivered, so accounts need none. */
  autoConfirm: boolean;
  close: () => Promise<void>;
}

/** Creates keys and demo accounts that do not exist yet, and opens the mailer. */
export async function openSite(settings: Settings, { database, keep }: OpenProcess): Promise<Site> {
  return {
    origin: settings.siteUrl ?? originOf(settings, settings.port),
    keys: await provisionKeys(database),
    demoAccounts: settings.demo ? await demoAccounts(database, settings.dataDir) : [],
    mail: keep(openMail(settings)),
  };
}

interface PlatformDeps {
  opened: OpenProcess;
  site: Site;
  figures: ServerFigures;
  turns: ServiceAdmissions;
}

export function platformOptions(
  settings: Settings,
  { opened: { database, blobs }, site: { origin, keys, mail }, figures, turns }: PlatformDeps,
): PlatformOptions {
  const { signIn } = settings;
  return {
    database,
    siteUrl: origin,
    publicUrl: origin,
    publishableKey: keys.publishableKey,
    secretKey: keys.secretKey,
    settings: {
      signUpEnabled: settings.signUp,
      autoConfirm: mail.autoConfirm,
      trustProxy: settings.trustedProxies !== 0,
      rateLimits: { mailsPerHour: settings.mailsPerHour },
      ...signIn.platform,
    },
    beforeRemoval: (userId) =>
      endPayments(database, settings.functions.payments, ownerOfUser(userId)).catch((error: unknown) => {
        if (!(error instanceof FunctionError)) throw error;
        throw new AuthError(error.status, 'unexpected_failure', error.message, { cause: error });
      }),
    mailer: mail.mailer,
    ...(signIn.sms && { sms: webhookSms(signIn.sms) }),
    scratchFolder: join(settings.dataDir, 'scratch', 'answers'),
    storage: { blobs, buckets: userFileBuckets(settings.userFiles) },
    functions: productFunctions(settings.functions, figures),
    turns,
  };
}

/** Mail by SMTP where SMTP_URL is set, else as `.eml` files in the data folder. */
function openMail({
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

const smsTimeoutMilliseconds = 10_000;

/**
 * Sends text messages to the operator's gateway: POST of `{"to": "+41791234567", "text": "…"}`, with the token as bearer
 * token. Throws unless the gateway answers 2xx; the platform retries then.
 */
export function webhookSms({ url, token }: { url: string; token?: string }): SmsSender {
  return {
    send: async ({ to, text }) => {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({ to: `+${to}`, text }),
        redirect: 'error',
        signal: AbortSignal.timeout(smsTimeoutMilliseconds),
      });
      await response.body?.cancel();
      if (!response.ok)
        throw new Error(`The gateway of SMS_WEBHOOK_URL answered with status ${response.status}.`);
    },
  };
}

/** Accounts of the platform. A token is valid only until its session is signed out. */
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
    userOfKey: (apiKey) => callerOfApiKey(database, apiKey),
    async trialExpired(userId) {
      const subscription = await subscriptionOf(database, userId, { trialDays });
      return subscription?.trialExpired ?? true;
    },
    isOperator: (userId) => isOperator(database, userId),
  };
}
