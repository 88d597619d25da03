import { z } from 'zod';
import type { JWK } from 'jose';

// `email`, `phone` and `anonymous_users` stand beside the providers in the answer of GET /settings.
const name = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,31}$/, 'The name of a provider may have lowercase letters, digits, - and _.')
  .refine(
    (providerName) => !['email', 'phone', 'anonymous_users'].includes(providerName),
    'That name is taken.',
  );

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Secrets and sign-ins travel there, so https is required, except for a provider on this machine. */
const address = z
  .url()
  .refine(
    (url) =>
      URL.canParse(url) &&
      (new URL(url).protocol === 'https:' ||
        (new URL(url).protocol === 'http:' && loopback.has(new URL(url).hostname))),
    'The address of a provider must start with https://.',
  )
  .transform((url) => url.replace(/\/+$/, ''));

/** Display name of the provider, also in messages; default its name. */
const label = z.string().min(1).max(100).optional();

const credentials = { label, clientId: z.string().min(1), clientSecret: z.string().min(1) };

/** External sign-in provider; its callback address is `<public url>/auth/v1/callback`. */
const identityProvider = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('oidc'),
    name,
    /** Base of `/.well-known/openid-configuration`, exactly as the provider writes it. */
    issuer: z
      .url()
      .refine((issuer) => address.safeParse(issuer).success, 'The issuer must start with https://.'),
    ...credentials,
    scopes: z.string().default('openid email profile'),
  }),
  z.object({
    kind: z.literal('github'),
    name: name.default('github'),
    ...credentials,
    scopes: z.string().default('read:user user:email'),
    /** Differs from the default for GitHub Enterprise. */
    siteUrl: address.default('https://github.com'),
    apiUrl: address.default('https://api.github.com'),
  }),
]);

export type IdentityProviderSettings = z.output<typeof identityProvider>;

const passwordCost = z.object({
  memoryKib: z.int().min(8).max(1_048_576),
  passes: z.int().min(1).max(20),
});
export type PasswordCost = z.output<typeof passwordCost>;

/**
 * argon2id as in OWASP's password sheet: 19 MiB, two passes, one lane. Takes about 60 ms; it runs on libuv's thread
 * pool, so the event loop is not blocked.
 */
export const defaultPasswordCost: PasswordCost = { memoryKib: 19_456, passes: 2 };

/** Requests (or failures) allowed per window; the windows are fixed, see `rate-limits.ts`. */
const rateLimitNumbers = z.object({
  signUp: z.int().positive().default(30),
  anonymous: z.int().positive().default(30),
  token: z.int().positive().default(150),
  updateUser: z.int().positive().default(30),
  verify: z.int().positive().default(30),
  recover: z.int().positive().default(30),
  resend: z.int().positive().default(30),
  otp: z.int().positive().default(30),
  oauth: z.int().positive().default(60),
  mfaChallenge: z.int().positive().default(15),
  mfaVerify: z.int().positive().default(15),
  /** Wrong passwords per account and address in 15 minutes. */
  passwordFailures: z.int().positive().default(10),
  accountFailures: z.int().positive().default(100),
  /** Correct passwords per account from all addresses in 5 minutes. */
  accountSignIns: z.int().positive().default(30),
  /** Wrong second-factor codes per account in 15 minutes. */
  mfaFailures: z.int().positive().default(20),
  mailsPerHour: z.int().positive().default(30),
  smsPerHour: z.int().positive().default(30),
  /** Seconds between two mails (or messages) of one kind to one address. */
  sendIntervalSeconds: z.int().positive().default(60),
});

const captcha = z.object({
  /** Both use the same protocol; the name tells the web app which widget to show. */
  provider: z.enum(['hcaptcha', 'turnstile']),
  /** Called for every token; no other address is ever called. */
  verifyUrl: z.url({ protocol: /^https?$/ }),
  secret: z.string().min(1),
});

/** Key that verifies token-form API keys: a public key, or the secret of HS256. */
const apiKeySigner = z.custom<JWK>(
  (value) => z.looseObject({ kty: z.enum(['oct', 'RSA', 'EC']) }).safeParse(value).success,
  'kty must be oct, RSA or EC',
);

export const platformSettings = z.object({
  siteName: z.string().min(1).max(60).default('Cellfolio'),
  signUpEnabled: z.boolean().default(true),
  /** Sign-up returns a session at once; otherwise the address must be confirmed by mail. */
  autoConfirm: z.boolean().default(true),
  /** Sign-up without any address; the account can add one later. */
  anonymousEnabled: z.boolean().default(false),
  /**
   * Phone numbers as addresses and as second factor; needs an SmsSender, unless numbers are confirmed automatically.
   */
  phoneEnabled: z.boolean().default(false),
  /** Sign-up by phone returns a session at once, without sending a message. */
  phoneAutoConfirm: z.boolean().default(false),
  accessTokenSeconds: z.int().min(1).default(3600),
  passwordMinLength: z.int().min(1).max(72).default(6),
  /** Cost of one argon2id hash; values below the default are for tests, which make hundreds. */
  passwordCost: passwordCost.default(defaultPasswordCost),
  /** Seconds after a refresh during which an older token still counts as another tab rather than as theft. */
  refreshReuseSeconds: z.int().min(0).default(10),
  /** Maximum wait of a refresh for another one of its session, in seconds; then the client is asked to retry. */
  refreshLockSeconds: z.number().positive().max(60).default(5),
  /** PUT /user must include the current password to change it. Off: the account page sends only the new one. */
  requireCurrentPassword: z.boolean().default(false),
  /** A session older than a day needs a mailed code to change the password. */
  requireRecentSignIn: z.boolean().default(false),
  /** Lifetime of a mailed link or code. */
  mailLinkSeconds: z.int().positive().default(3600),
  /** A new address must also be confirmed from the old mailbox. */
  secureEmailChange: z.boolean().default(true),
  /**
   * Allowed link targets besides the site itself: addresses in which `*` matches anything but a dot or slash, and `**`
   * anything.
   */
  redirectAllowList: z.array(z.string().min(1).max(500)).max(100).default([]),
  providers: z
    .array(identityProvider)
    .max(30)
    .default([])
    .refine(
      (providers) => new Set(providers.map(({ name }) => name)).size === providers.length,
      'Two providers have the same name.',
    ),
  manualLinking: z.boolean().default(true),
  totpEnabled: z.boolean().default(true),
  captcha: captcha.optional(),
  /** Additional signing keys for API keys in the older form of a signed token. */
  apiKeySigners: z.array(apiKeySigner).max(20).default([]),
  rateLimits: z
    .union([z.boolean(), rateLimitNumbers.partial()])
    .default(true)
    .transform((setting) =>
      setting === false ? undefined : rateLimitNumbers.parse(setting === true ? {} : setting),
    ),
  trustProxy: z.boolean().default(false),
});

export type PlatformSettings = z.output<typeof platformSettings>;
export type PlatformSettingsInput = z.input<typeof platformSettings>;
export type RateLimitNumbers = z.output<typeof rateLimitNumbers>;
export type CaptchaSettings = z.output<typeof captcha>;
