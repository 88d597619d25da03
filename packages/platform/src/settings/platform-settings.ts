import { z } from 'zod';

/** Requests (or failures) allowed per window; the windows are fixed, see `rate-limits.ts`. */
const rateLimitNumbers = z.object({
  /** POST /signup per address and 5 minutes. */
  signUp: z.int().positive().default(30),
  /** POST /token per address and 5 minutes. */
  token: z.int().positive().default(150),
  /** PUT /user per address and 5 minutes. */
  updateUser: z.int().positive().default(30),
  /** GET and POST /verify per address and 5 minutes. */
  verify: z.int().positive().default(30),
  /** Wrong passwords per account and address in 15 minutes. */
  passwordFailures: z.int().positive().default(10),
  /** Wrong passwords per account from all addresses in 15 minutes. */
  accountFailures: z.int().positive().default(100),
});

/** Everything about the platform that an operator may choose; each has a default fit for production. */
export const platformSettings = z.object({
  signUpEnabled: z.boolean().default(true),
  /** Sign-up gives a session at once; without it, the address must be confirmed by mail. */
  autoConfirm: z.boolean().default(true),
  accessTokenSeconds: z.int().min(1).default(3600),
  passwordMinLength: z.int().min(1).max(72).default(6),
  /** How long after a refresh an older token still counts as another tab rather than as theft. */
  refreshReuseSeconds: z.int().min(0).default(10),
  /** PUT /user must name the current password to change it. Off: the account page sends only the new one. */
  requireCurrentPassword: z.boolean().default(false),
  /** How long a link in a mail works. */
  mailLinkSeconds: z.int().positive().default(3600),
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
