import type { FastifyPluginAsync } from 'fastify';
import type { AuthContext } from './auth/auth-context.ts';
import { authPlugin } from './auth/auth-plugin.ts';
import { type Mailer, Outbox, type SmsSender } from './auth/mail/mailer.ts';
import { createCaptchaCheck } from './auth/captcha.ts';
import { makeProviders } from './auth/oauth/providers.ts';
import { createRateLimits, type LimiterFactory, sharedLimiters } from './auth/rate-limits.ts';
import { createTokenVerifier } from './auth/tokens/access-token.ts';
import { RefreshTokens } from './auth/tokens/refresh-token.ts';
import { SigningKeys } from './auth/tokens/signing-keys.ts';
import type { Database } from './database/database.ts';
import { type MountFunctions, functionsPlugin } from './functions/functions-plugin.ts';
import { keyTokenReader } from './gateway/key-tokens.ts';
import { createCallerResolver } from './auth/resolve-caller.ts';
import { createServiceAdmissions, type ServiceAdmissions } from './gateway/service-admissions.ts';
import { unavailableServices } from './gateway/service-scope.ts';
import { restPlugin } from './rest/rest-plugin.ts';
import type { RestSettingsInput } from './rest/rest-request.ts';
import { oneTimeCodeKey, refreshTokenKey } from './settings/project-keys.ts';
import { platformSettings, type PlatformSettingsInput } from './settings/platform-settings.ts';
import { createStorageContext, type StorageOptions } from './storage/storage-context.ts';
import { storagePlugin } from './storage/storage-plugin.ts';

export interface PlatformOptions {
  readonly database: Database;
  /** Address of the web app, such as `https://cells.example.org`. */
  readonly siteUrl: string;
  /** Public address of this plugin, without `/auth/v1`; part of every token's issuer. */
  readonly publicUrl: string;
  readonly publishableKey: string;
  readonly secretKey: string;
  /** Required if `settings.autoConfirm` is false. */
  readonly mailer?: Mailer;
  /** Required if `settings.phoneEnabled` is true. */
  readonly sms?: SmsSender;
  readonly settings?: PlatformSettingsInput;
  readonly rest?: RestSettingsInput;
  /** Folder for long responses of `/rest/v1` while they are sent; default a system folder. */
  readonly scratchFolder?: string;
  /** If absent, `/storage/v1` replies that it is unavailable. */
  readonly storage?: StorageOptions;
  /** Called before the admin API removes an account; if it throws, the account stays. */
  readonly beforeRemoval?: (userId: string) => Promise<void>;
  /** If absent, `/functions/v1` replies that it is unavailable. */
  readonly functions?: MountFunctions;
  /** Admission of calls; default from `createServiceAdmissions`. */
  readonly turns?: ServiceAdmissions;
  /** Counters of the rate limits; default in memory with the embedded database, else in the database. */
  readonly makeLimiter?: LimiterFactory;
  readonly now?: () => number;
}

/** `iss` of the tokens of a platform with that public address. */
export function issuerOf(publicUrl: string): string {
  return `${publicUrl.replace(/\/+$/, '')}/auth/v1`;
}

/**
 * Mounts `/auth/v1`, `/rest/v1` and, if given, `/storage/v1` and `/functions/v1`; missing services reply that they are
 * unavailable.
 */
export const platformPlugin: FastifyPluginAsync<PlatformOptions> = async (app, options) => {
  const settings = platformSettings.parse(options.settings ?? {});
  if (!settings.autoConfirm && !options.mailer) {
    throw new Error('Addresses cannot be confirmed without a mailer: give one, or set autoConfirm.');
  }
  if (settings.phoneEnabled && !settings.phoneAutoConfirm && !options.sms) {
    throw new Error(
      'Phone numbers cannot be confirmed without an SmsSender: give one, or leave phoneEnabled off.',
    );
  }
  const { database, publishableKey, secretKey, mailer } = options;
  const now = options.now ?? Date.now;
  const publicUrl = options.publicUrl.replace(/\/+$/, '');
  const issuer = issuerOf(publicUrl);
  const signingKeys = new SigningKeys(database, now);
  const verifier = createTokenVerifier(database, { issuer, now, keys: signingKeys });
  const callers = createCallerResolver({
    verifier,
    publishableKey,
    secretKey,
    readKeyToken: await keyTokenReader(settings.apiKeySigners, now),
  });
  const log = (line: string) => app.log.error(line);
  const outbox = mailer && new Outbox(mailer, { log });
  const { sms } = options;
  const messages =
    sms && new Outbox({ send: ({ to, text }) => sms.send({ to, text }) }, { what: 'text message', log });
  app.addHook('onClose', async () => {
    await Promise.all([outbox?.close(), messages?.close()]);
  });
  const turns = options.turns ?? createServiceAdmissions(database.kind);
  const inMemory = database.kind === 'embedded';
  const makeLimiter = options.makeLimiter ?? (inMemory ? undefined : sharedLimiters(database.pool));
  const context: AuthContext = {
    database,
    settings,
    siteUrl: options.siteUrl,
    publicUrl,
    issuer,
    signingKeys,
    refreshTokens: new RefreshTokens(await refreshTokenKey(database)),
    verifier,
    limits: createRateLimits(settings.rateLimits, makeLimiter),
    callers,
    codeKey: await oneTimeCodeKey(database),
    outbox,
    sms: messages,
    captcha: settings.captcha && createCaptchaCheck(settings.captcha),
    beforeRemoval: options.beforeRemoval,
    providers: makeProviders(settings.providers),
    now,
  };
  // Made now, so that the first visitor does not wait for it and a database without our tables stops the start.
  await signingKeys.current();
  await app.register(authPlugin, { prefix: '/auth/v1', context, calls: turns.auth });
  await app.register(restPlugin, {
    prefix: '/rest/v1',
    database,
    callers,
    calls: turns.calls,
    now,
    trustProxy: settings.trustProxy,
    ...(options.rest && { settings: options.rest }),
    ...(options.scratchFolder !== undefined && { scratchFolder: options.scratchFolder }),
    ...(settings.rateLimits ? makeLimiter && { makeLimiter } : { makeLimiter: false as const }),
  });
  const present = ['/rest/v1'];
  if (options.storage) {
    const { trustProxy } = settings;
    const surroundings = { database, callers, publishableKey, publicUrl, trustProxy, log: app.log, now };
    const storage = await createStorageContext(options.storage, surroundings);
    await app.register(storagePlugin, { prefix: '/storage/v1', context: storage, turns });
    present.push('/storage/v1');
  }
  if (options.functions) {
    await app.register(functionsPlugin, {
      prefix: '/functions/v1',
      mount: options.functions,
      context: {
        database,
        siteName: settings.siteName,
        siteUrl: options.siteUrl.replace(/\/+$/, ''),
        publicUrl,
        callers,
        verifier,
        makeLimiter: settings.rateLimits ? makeLimiter : false,
        mailer,
        trustProxy: settings.trustProxy,
        now,
        log: app.log,
      },
    });
    present.push('/functions/v1');
  }
  await app.register(unavailableServices, { present });
};
