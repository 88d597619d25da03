import { z } from 'zod';

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
export const identityProvider = z.discriminatedUnion('kind', [
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
