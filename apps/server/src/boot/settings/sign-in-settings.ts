import type { PublicConfig } from '@cellfolio/contract';
import type { PlatformSettingsInput } from '@cellfolio/platform';
import { z } from 'zod';
import { type Environment, flag, InvalidSettings, required, webAddress } from './setting-types.ts';

type Providers = NonNullable<PlatformSettingsInput['providers']>;

/** Sign-in methods other than e-mail and password. */
export interface SignInSettings {
  /** For the platform; has secrets. */
  platform: Pick<
    PlatformSettingsInput,
    'providers' | 'redirectAllowList' | 'captcha' | 'anonymousEnabled' | 'phoneEnabled' | 'apiKeySigners'
  >;
  shown: NonNullable<PublicConfig['signIn']>;
  /** Sources of the captcha's scripts and frames, for the content security policy. */
  captchaSources: readonly string[];
  /** Text-message gateway; absent when phone sign-in is off. */
  sms?: { url: string; token?: string };
}

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
  ANONYMOUS_SIGN_IN: flag.default(false),
  SMS_WEBHOOK_URL: webAddress.optional(),
  SMS_WEBHOOK_TOKEN: z.string().optional(),
  API_KEY_JWKS: z.string().optional(),
});

/** Excludes the OpenID Connect settings, whose names the operator chooses. */
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

/** Both services have the same protocol; `sources` is what a page must load. */
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

/** Reads the sign-in settings; empty ones are already removed. Throws InvalidSettings. */
export function readSignInSettings(environment: Environment): SignInSettings {
  const parsed = schema.safeParse(environment);
  if (!parsed.success) throw InvalidSettings.of(parsed.error);
  const env = parsed.data;
  const providers = [...openIdProviders(environment), ...githubProvider(env)];
  const captcha = captchaOf(env);
  const hasPhone = env.SMS_WEBHOOK_URL !== undefined;
  return {
    platform: {
      providers: providers.map(({ provider, label }) => ({ ...provider, label })),
      redirectAllowList: env.REDIRECT_ALLOW_LIST,
      anonymousEnabled: env.ANONYMOUS_SIGN_IN,
      phoneEnabled: hasPhone,
      apiKeySigners: apiKeySigners(env.API_KEY_JWKS),
      ...(captcha && { captcha: captcha.platform }),
    },
    shown: {
      providers: providers.map(({ provider, label }) => ({ name: provider.name ?? 'github', label })),
      anonymous: env.ANONYMOUS_SIGN_IN,
      phone: hasPhone,
      authenticatorApps: true,
      ...(captcha && { captcha: captcha.shown }),
    },
    captchaSources: captcha?.sources ?? [],
    ...(env.SMS_WEBHOOK_URL !== undefined && {
      sms: { url: env.SMS_WEBHOOK_URL, ...(env.SMS_WEBHOOK_TOKEN && { token: env.SMS_WEBHOOK_TOKEN }) },
    }),
  };
}

/** Parses a JSON Web Key Set (RFC 7517). Its errors never quote the text, which may hold secrets. */
function apiKeySigners(text: string | undefined): NonNullable<PlatformSettingsInput['apiKeySigners']> {
  if (text === undefined) return [];
  const invalid = (problem: string) =>
    new InvalidSettings(
      `API_KEY_JWKS: ${problem}; expected {"keys": [...]} with keys of type oct, RSA or EC`,
    );
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('is not valid JSON');
  }
  const parsed = keySet.safeParse(value);
  if (!parsed.success) throw invalid('is not a usable key set');
  return parsed.data.keys;
}

type LabelledProvider = { provider: Providers[number]; label: string };

const oidcParts = ['ISSUER', 'CLIENT_ID', 'CLIENT_SECRET', 'LABEL'] as const;
type OidcPart = (typeof oidcParts)[number];

/** `OIDC_<NAME>_ISSUER`, `_CLIENT_ID`, `_CLIENT_SECRET`, and optionally `_LABEL`. */
function openIdProviders(environment: Environment): LabelledProvider[] {
  const partsByProvider = new Map<string, Map<OidcPart, string>>();
  for (const [variable, value] of Object.entries(environment)) {
    if (!variable.startsWith('OIDC_') || value === undefined) continue;
    const part = oidcParts.find((one) => variable.endsWith(`_${one}`));
    const name = part && variable.slice('OIDC_'.length, -part.length - 1);
    if (!part || !name || !/^[A-Z][A-Z0-9_]{0,31}$/.test(name)) {
      throw new InvalidSettings(`${variable}: must be OIDC_<NAME>_ and one of ${oidcParts.join(', ')}`);
    }
    const parts = partsByProvider.get(name) ?? new Map<OidcPart, string>();
    partsByProvider.set(name, parts.set(part, value));
  }
  return [...partsByProvider].map(([name, parts]) => {
    const need = (part: OidcPart): string =>
      required(`OIDC_${name}_${part}`, parts.get(part), `with the other OIDC_${name} settings`);
    const issuer = need('ISSUER');
    if (!isProviderAddress(issuer)) {
      throw new InvalidSettings(`OIDC_${name}_ISSUER: must be an address that begins with https://`);
    }
    if (['EMAIL', 'PHONE', 'ANONYMOUS_USERS', 'GITHUB'].includes(name)) {
      throw new InvalidSettings(
        `OIDC_${name}_ISSUER: the name ${name.toLowerCase()} is reserved; choose another`,
      );
    }
    return {
      label: labelOf(`OIDC_${name}_LABEL`, parts.get('LABEL') ?? titled(name)),
      provider: {
        kind: 'oidc',
        name: name.toLowerCase(),
        issuer,
        clientId: need('CLIENT_ID'),
        clientSecret: need('CLIENT_SECRET'),
      },
    };
  });
}

/** The platform requires https, except for a provider on loopback. */
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

function githubProvider(env: z.output<typeof schema>): LabelledProvider[] {
  const { GITHUB_CLIENT_ID: clientId, GITHUB_CLIENT_SECRET: clientSecret } = env;
  if (clientId === undefined && clientSecret === undefined) return [];
  const provider = {
    kind: 'github',
    name: 'github',
    clientId: required('GITHUB_CLIENT_ID', clientId, 'with GITHUB_CLIENT_SECRET'),
    clientSecret: required('GITHUB_CLIENT_SECRET', clientSecret, 'with GITHUB_CLIENT_ID'),
  } as const;
  return [{ label: 'GitHub', provider }];
}

function captchaOf(env: z.output<typeof schema>) {
  const { CAPTCHA_PROVIDER: provider, CAPTCHA_SITE_KEY: siteKey, CAPTCHA_SECRET: secret } = env;
  if (provider === undefined) {
    if (siteKey !== undefined || secret !== undefined) {
      throw new InvalidSettings(
        'CAPTCHA_PROVIDER: is required with CAPTCHA_SITE_KEY or CAPTCHA_SECRET; set hcaptcha or turnstile',
      );
    }
    return undefined;
  }
  const { verifyUrl, sources } = captchas[provider];
  return {
    platform: {
      provider,
      secret: required('CAPTCHA_SECRET', secret, 'with CAPTCHA_PROVIDER'),
      verifyUrl,
    },
    shown: { provider, siteKey: required('CAPTCHA_SITE_KEY', siteKey, 'with CAPTCHA_PROVIDER') },
    sources,
  };
}
