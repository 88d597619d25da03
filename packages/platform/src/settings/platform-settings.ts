import { z } from 'zod';
import type { JWK } from 'jose';

// `email`, `phone` and `anonymous_users` stand beside the providers in the answer of GET /settings.
const name = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,31}$/, 'A provider is named in small letters, digits, - and _.')
  .refine((given) => !['email', 'phone', 'anonymous_users'].includes(given), 'That name is taken.');

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Secrets and sign-ins travel there, so https, but for a provider on this very machine. */
const address = z
  .url()
  .refine(
    (given) =>
      URL.canParse(given) &&
      (new URL(given).protocol === 'https:' ||
        (new URL(given).protocol === 'http:' && loopback.has(new URL(given).hostname))),
    'The address of a provider must begin with https://.',
  )
  .transform((given) => given.replace(/\/+$/, ''));

/** What people are shown of the provider, in messages too; its name where none is given. */
const label = z.string().min(1).max(100).optional();

const credentials = { label, clientId: z.string().min(1), clientSecret: z.string().min(1) };

/** A provider that people may sign in from; its callback address is `<public url>/auth/v1/callback`. */
const identityProvider = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('oidc'),
    name,
    /** Where `/.well-known/openid-configuration` is found; exactly as the provider writes it. */
    issuer: z
      .url()
      .refine((given) => address.safeParse(given).success, 'The issuer must begin with https://.'),
    ...credentials,
    scopes: z.string().default('openid email profile'),
  }),
  z.object({
    kind: z.literal('github'),
    name: name.default('github'),
    ...credentials,
    scopes: z.string().default('read:user user:email'),
    /** Other than the default for GitHub Enterprise. */
    siteUrl: address.default('https://github.com'),
    apiUrl: address.default('https://api.github.com'),
  }),
]);

export type IdentityProviderSettings = z.output<typeof identityProvider>;

/** What one hash costs. */
export interface PasswordCost {
  /** KiB of memory. */
  readonly memoryKib: number;
  readonly passes: number;
}

/**
 * argon2id as OWASP's password sheet gives it: 19 MiB, two passes, one lane. About 60 ms here; it runs on
 * libuv's thread pool, so the event loop goes on.
 */
export const defaultPasswordCost: PasswordCost = { memoryKib: 19_456, passes: 2 };

/** Requests (or failures) allowed per window; the windows are fixed, see `rate-limits.ts`. */
const rateLimitNumbers = z.object({
  /** POST /signup per address and 5 minutes. */
  signUp: z.int().positive().default(30),
  /** Anonymous POST /signup per address and hour. */
  anonymous: z.int().positive().default(30),
  /** POST /token per address and 5 minutes. */
  token: z.int().positive().default(150),
  /** PUT /user per address and 5 minutes. */
  updateUser: z.int().positive().default(30),
  /** GET and POST /verify per address and 5 minutes. */
  verify: z.int().positive().default(30),
  /** POST /recover, and GET /reauthenticate, per address and 5 minutes. */
  recover: z.int().positive().default(30),
  /** POST /resend per address and 5 minutes. */
  resend: z.int().positive().default(30),
  /** POST /otp and /magiclink per address and 5 minutes. */
  otp: z.int().positive().default(30),
  /** GET /authorize and /callback per address and 5 minutes. */
  oauth: z.int().positive().default(60),
  /** Challenges of a second step per address and minute. */
  mfaChallenge: z.int().positive().default(15),
  /** Codes of a second step per address and minute. */
  mfaVerify: z.int().positive().default(15),
  /** Wrong passwords per account and address in 15 minutes. */
  passwordFailures: z.int().positive().default(10),
  /** Wrong passwords per account from all addresses in 15 minutes. */
  accountFailures: z.int().positive().default(100),
  /** Right passwords per account from all addresses in 5 minutes. */
  accountSignIns: z.int().positive().default(30),
  /** Wrong codes of a second step per account in 15 minutes. */
  mfaFailures: z.int().positive().default(20),
  /** Mails of the whole installation per hour. */
  mailsPerHour: z.int().positive().default(30),
  /** Text messages of the whole installation per hour. */
  smsPerHour: z.int().positive().default(30),
  /** Seconds between two mails (or messages) of one kind to one address. */
  sendIntervalSeconds: z.int().positive().default(60),
});

const captcha = z.object({
  /** Both speak the same protocol; the name tells the web app which widget to show. */
  provider: z.enum(['hcaptcha', 'turnstile']),
  /** Asked for every token; nothing else is ever called. */
  verifyUrl: z.url({ protocol: /^https?$/ }),
  secret: z.string().min(1),
});

/** A key that API keys in the form of tokens are signed with: a public one, or the secret of HS256. */
const apiKeySigner = z.custom<JWK>(
  (value) => z.looseObject({ kty: z.enum(['oct', 'RSA', 'EC']) }).safeParse(value).success,
  'kty must be oct, RSA or EC',
);

/** Everything about the platform that an operator may choose; each has a default fit for production. */
export const platformSettings = z.object({
  /** The name that mails and authenticator apps show. */
  siteName: z.string().min(1).max(60).default('Cellfolio'),
  signUpEnabled: z.boolean().default(true),
  /** Sign-up gives a session at once; without it, the address must be confirmed by mail. */
  autoConfirm: z.boolean().default(true),
  /** Sign-up without any address; the account can take one later. */
  anonymousEnabled: z.boolean().default(false),
  /** Phone numbers as addresses and as second step; needs an SmsSender, unless they confirm themselves. */
  phoneEnabled: z.boolean().default(false),
  /** Sign-up by phone gives a session at once, and no message is sent for it. */
  phoneAutoConfirm: z.boolean().default(false),
  accessTokenSeconds: z.int().min(1).default(3600),
  passwordMinLength: z.int().min(1).max(72).default(6),
  /** What one argon2id hash costs; less than the default is for tests, which make hundreds. */
  passwordCost: z
    .object({ memoryKib: z.int().min(8).max(1_048_576), passes: z.int().min(1).max(20) })
    .default(defaultPasswordCost),
  /** How long after a refresh an older token still counts as another tab rather than as theft. */
  refreshReuseSeconds: z.int().min(0).default(10),
  /** How long a refresh waits for another one of its session before it is told to come again. */
  refreshLockSeconds: z.number().positive().max(60).default(5),
  /** PUT /user must name the current password to change it. Off: the account page sends only the new one. */
  requireCurrentPassword: z.boolean().default(false),
  /** A session older than a day needs a mailed code to change the password. */
  requireRecentSignIn: z.boolean().default(false),
  /** How long a link or code in a mail works. */
  mailLinkSeconds: z.int().positive().default(3600),
  /** A new address must be confirmed from the old mailbox too. */
  secureEmailChange: z.boolean().default(true),
  /**
   * Where links may lead besides the site itself: addresses in which `*` stands for anything but a dot or slash, and
   * `**` for anything.
   */
  redirectAllowList: z.array(z.string().min(1).max(500)).max(100).default([]),
  /** Where people may sign in from besides here. */
  providers: z
    .array(identityProvider)
    .max(30)
    .default([])
    .refine(
      (given) => new Set(given.map(({ name }) => name)).size === given.length,
      'Two providers have the same name.',
    ),
  /** Signed-in people may join and part with providers. */
  manualLinking: z.boolean().default(true),
  /** Authenticator apps as a second step. */
  totpEnabled: z.boolean().default(true),
  captcha: captcha.optional(),
  /** With what API keys in the older form of a signed token may be signed besides our own keys. */
  apiKeySigners: z.array(apiKeySigner).max(20).default([]),
  rateLimits: z
    .union([z.boolean(), rateLimitNumbers.partial()])
    .default(true)
    .transform((given) =>
      given === false ? undefined : rateLimitNumbers.parse(given === true ? {} : given),
    ),
  /** Take the client's address from the forwarding header that the Fastify instance trusts. */
  trustProxy: z.boolean().default(false),
});

/** The settings with every default filled in. */
export type PlatformSettings = z.output<typeof platformSettings>;
/** The settings as a caller gives them. */
export type PlatformSettingsInput = z.input<typeof platformSettings>;
export type RateLimitNumbers = z.output<typeof rateLimitNumbers>;
export type CaptchaSettings = z.output<typeof captcha>;
