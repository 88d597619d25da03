import type { PublicConfig } from '@cellfolio/contract';
import type { PlatformSettingsInput } from '@cellfolio/platform';
import { z } from 'zod';
import { InvalidSettings } from './invalid-settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Providers = NonNullable<PlatformSettingsInput['providers']>;

/** How people may sign in besides by address and password. */
export interface SignInSettings {
  /** For the platform, secrets included. */
  readonly platform: Pick<
    PlatformSettingsInput,
    | 'providers'
    | 'redirectAllowList'
    | 'captcha'
    | 'anonymousEnabled'
    | 'phoneEnabled'
    | 'totpEnabled'
    | 'apiKeySigners'
  >;
  /** For the web app. */
  readonly shown: NonNullable<PublicConfig['signIn']>;
  /** Where the scripts and frames of the captcha come from. */
  readonly captchaSources: readonly string[];
  /** Where text messages are handed over; absent, nobody has a phone number here. */
  readonly sms?: { readonly url: string; readonly token?: string };
}

const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
const web = z.url({ protocol: /^https?$/ });

const schema = z.object({
  GITHUB_CLIENT_ID: z.string().optional(),
  GITHUB_CLIENT_SECRET: z.string().optional(),
  REDIRECT_ALLOW_LIST: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== ''),
    )
    .pipe(z.array(z.string().max(500)).max(100)),
  CAPTCHA_PROVIDER: z.enum(['hcaptcha', 'turnstile']).optional(),
  CAPTCHA_SITE_KEY: z.string().max(200).optional(),
  CAPTCHA_SECRET: z.string().optional(),
  CAPTCHA_VERIFY_URL: web.optional(),
  ANONYMOUS_SIGN_IN: flag.default(false),
  AUTHENTICATOR_APPS: flag.default(true),
  PHONE: flag.default(false),
  SMS_WEBHOOK_URL: web.optional(),
  SMS_WEBHOOK_TOKEN: z.string().optional(),
  API_KEY_JWKS: z.string().optional(),
});

/** But for those of OpenID Connect, which have names of the operator's own in theirs. */
export const signInSettingNames: readonly string[] = Object.keys(schema.shape);

const keySet = z.object({
  keys: z
    .array(
      z.discriminatedUnion('kty', [
        z.looseObject({ kty: z.literal('oct'), k: z.string().min(43) }),
        z.looseObject({ kty: z.literal('RSA'), n: z.string().min(342), e: z.string().min(1) }),
        z.looseObject({ kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string() }),
      ]),
    )
    .max(20),
});

/** The two services speak one protocol, each at its own address; the last are what a page must load for them. */
const captchas = {
  hcaptcha: {
    verifyUrl: 'https://api.hcaptcha.com/siteverify',
    sources: ['https://hcaptcha.com', 'https://*.hcaptcha.com'],
  },
  turnstile: {
    verifyUrl: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
    sources: ['https://challenges.cloudflare.com'],
  },
} as const;

/** Reads `OIDC_*`, `GITHUB_*`, `CAPTCHA_*` and their like; empty ones are left out before. Throws InvalidSettings. */
export function readSignInSettings(environment: Environment): SignInSettings {
  const parsed = schema.safeParse(environment);
  if (!parsed.success) throw InvalidSettings.of(parsed.error);
  const env = parsed.data;
  const named = [...openIdProviders(environment), ...githubProvider(env)];
  const captcha = captchaOf(env);
  if (env.PHONE && env.SMS_WEBHOOK_URL === undefined) {
    throw new InvalidSettings('PHONE: text messages need a way out; set SMS_WEBHOOK_URL too');
  }
  return {
    platform: {
      providers: named.map(({ provider, label }) => ({ ...provider, label })),
      redirectAllowList: env.REDIRECT_ALLOW_LIST,
      anonymousEnabled: env.ANONYMOUS_SIGN_IN,
      totpEnabled: env.AUTHENTICATOR_APPS,
      phoneEnabled: env.PHONE,
      apiKeySigners: apiKeySigners(env.API_KEY_JWKS),
      ...(captcha && { captcha: captcha.platform }),
    },
    shown: {
      providers: named.map(({ provider, label }) => ({ name: provider.name ?? 'github', label })),
      anonymous: env.ANONYMOUS_SIGN_IN,
      phone: env.PHONE,
      authenticatorApps: env.AUTHENTICATOR_APPS,
      ...(captcha && { captcha: captcha.shown }),
    },
    captchaSources: captcha?.sources ?? [],
    ...(env.PHONE &&
      env.SMS_WEBHOOK_URL !== undefined && {
        sms: { url: env.SMS_WEBHOOK_URL, ...(env.SMS_WEBHOOK_TOKEN && { token: env.SMS_WEBHOOK_TOKEN }) },
      }),
  };
}

/** A key set as JSON, as `/.well-known/jwks.json` has it. Says what is wrong without repeating a secret in it. */
function apiKeySigners(text: string | undefined): NonNullable<PlatformSettingsInput['apiKeySigners']> {
  if (text === undefined) return [];
  const wrong = (why: string) =>
    new InvalidSettings(`API_KEY_JWKS: ${why}; give {"keys": [...]} with keys of the type oct, RSA or EC`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw wrong('is not JSON');
  }
  const parsed = keySet.safeParse(value);
  if (!parsed.success) throw wrong('is no set of keys that can be used');
  return parsed.data.keys;
}

type Named = { readonly provider: Providers[number]; readonly label: string };

const oidcParts = ['ISSUER', 'CLIENT_ID', 'CLIENT_SECRET', 'SCOPES', 'LABEL'] as const;
type OidcPart = (typeof oidcParts)[number];

/** `OIDC_<NAME>_ISSUER`, `_CLIENT_ID`, `_CLIENT_SECRET`, and where they are wanted `_SCOPES` and `_LABEL`. */
function openIdProviders(environment: Environment): Named[] {
  const found = new Map<string, Map<OidcPart, string>>();
  for (const [variable, value] of Object.entries(environment)) {
    if (!variable.startsWith('OIDC_') || value === undefined) continue;
    const part = oidcParts.find((one) => variable.endsWith(`_${one}`));
    const name = part && variable.slice('OIDC_'.length, -part.length - 1);
    if (!part || !name || !/^[A-Z][A-Z0-9_]{0,31}$/.test(name)) {
      throw new InvalidSettings(`${variable}: must be OIDC_<NAME>_ and one of ${oidcParts.join(', ')}`);
    }
    const parts = found.get(name) ?? new Map<OidcPart, string>();
    found.set(name, parts.set(part, value));
  }
  return [...found].map(([name, parts]) => {
    const needed = (part: OidcPart): string => {
      const value = parts.get(part);
      if (value === undefined) throw new InvalidSettings(`OIDC_${name}_${part}: is needed beside the others`);
      return value;
    };
    const issuer = needed('ISSUER');
    if (!isProviderAddress(issuer)) {
      throw new InvalidSettings(`OIDC_${name}_ISSUER: must be an address that begins with https://`);
    }
    if (['EMAIL', 'PHONE', 'ANONYMOUS_USERS', 'GITHUB'].includes(name)) {
      throw new InvalidSettings(
        `OIDC_${name}_ISSUER: the name ${name.toLowerCase()} is taken; choose another`,
      );
    }
    const scopes = parts.get('SCOPES');
    return {
      label: labelOf(`OIDC_${name}_LABEL`, parts.get('LABEL') ?? titled(name)),
      provider: {
        kind: 'oidc',
        name: name.toLowerCase(),
        issuer,
        clientId: needed('CLIENT_ID'),
        clientSecret: needed('CLIENT_SECRET'),
        ...(scopes !== undefined && { scopes }),
      },
    };
  });
}

/** As the platform asks of it: https, but for a provider on this very machine. */
function isProviderAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return (
    protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
  );
}

function labelOf(variable: string, text: string): string {
  if (text.length > 40) throw new InvalidSettings(`${variable}: must have at most 40 characters`);
  return text;
}

/** `MY_INSTITUTE` is shown as My Institute. */
function titled(name: string): string {
  return name
    .split('_')
    .filter((word) => word !== '')
    .map((word) => word[0] + word.slice(1).toLowerCase())
    .join(' ');
}

function githubProvider(env: z.output<typeof schema>): Named[] {
  const { GITHUB_CLIENT_ID: clientId, GITHUB_CLIENT_SECRET: clientSecret } = env;
  if (clientId === undefined && clientSecret === undefined) return [];
  if (clientId === undefined) throw new InvalidSettings('GITHUB_CLIENT_ID: is needed beside the secret');
  if (clientSecret === undefined) throw new InvalidSettings('GITHUB_CLIENT_SECRET: is needed beside the id');
  return [{ label: 'GitHub', provider: { kind: 'github', name: 'github', clientId, clientSecret } }];
}

function captchaOf(env: z.output<typeof schema>) {
  const { CAPTCHA_PROVIDER: provider, CAPTCHA_SITE_KEY: siteKey, CAPTCHA_SECRET: secret } = env;
  if (provider === undefined) {
    if (siteKey !== undefined || secret !== undefined) {
      throw new InvalidSettings('CAPTCHA_PROVIDER: must be hcaptcha or turnstile where a captcha is set');
    }
    return undefined;
  }
  if (siteKey === undefined) throw new InvalidSettings('CAPTCHA_SITE_KEY: is needed with a captcha');
  if (secret === undefined) throw new InvalidSettings('CAPTCHA_SECRET: is needed with a captcha');
  const { verifyUrl, sources } = captchas[provider];
  return {
    platform: { provider, secret, verifyUrl: env.CAPTCHA_VERIFY_URL ?? verifyUrl },
    shown: { provider, siteKey },
    sources,
  };
}
