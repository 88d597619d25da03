import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  discovery,
  fetchUserInfo,
} from 'openid-client';
import type { IdentityProviderSettings } from '../../settings/identity-provider-settings.ts';
import {
  type Arrival,
  type Departure,
  type IdentityProvider,
  pictureAddress,
  plainText,
  type SignedInElsewhere,
} from './identity-provider.ts';

const timeoutSeconds = 10;
/** Providers move their endpoints and change their methods, if seldom. */
const discoverAgainMs = 24 * 3_600_000;

/** Any OpenID Connect provider, found by its issuer. */
export class OpenIdProvider implements IdentityProvider {
  readonly label: string;
  readonly #settings: Extract<IdentityProviderSettings, { kind: 'oidc' }>;
  #discovered: { readonly at: number; readonly configuration: Promise<Configuration> } | undefined;

  constructor(settings: Extract<IdentityProviderSettings, { kind: 'oidc' }>) {
    this.#settings = settings;
    this.label = settings.label ?? settings.name;
  }

  async depart({ redirectUri, state, nonce, codeChallenge, scopes, extras }: Departure): Promise<URL> {
    return buildAuthorizationUrl(await this.#configuration(), {
      ...Object.fromEntries(extras),
      redirect_uri: redirectUri,
      scope: withScopes(this.#settings.scopes, scopes),
      state,
      nonce,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    });
  }

  async arrive({ url, state, nonce, codeVerifier }: Arrival): Promise<SignedInElsewhere> {
    const configuration = await this.#configuration();
    const tokens = await authorizationCodeGrant(configuration, url, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new Error('The provider sent no ID token.');
    // Some put the address into the token, some give it only when asked.
    const more =
      claims.email === undefined && configuration.serverMetadata().userinfo_endpoint
        ? await fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : {};
    const told: Record<string, unknown> = { ...more, ...claims };
    return {
      profile: {
        subject: claims.sub,
        email: plainText(told.email),
        // A few write it as a text.
        emailVerified: told.email_verified === true || told.email_verified === 'true',
        name: plainText(told.name),
        userName: plainText(told.preferred_username),
        picture: pictureAddress(told.picture),
        issuer: claims.iss,
      },
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token,
    };
  }

  async #configuration(): Promise<Configuration> {
    const known = this.#discovered;
    if (known && performance.now() - known.at < discoverAgainMs) return known.configuration;
    const { issuer, clientId, clientSecret } = this.#settings;
    const server = new URL(issuer);
    const configuration = discovery(server, clientId, clientSecret, undefined, {
      timeout: timeoutSeconds,
      // The settings let plain http pass on this machine alone.
      ...(server.protocol === 'http:' && { execute: [allowInsecureRequests] }),
    });
    const found = { at: performance.now(), configuration };
    this.#discovered = found;
    configuration.catch(() => {
      // An outage must not last longer than itself.
      if (this.#discovered === found) this.#discovered = undefined;
    });
    return configuration;
  }
}

/** The scopes of the settings and those that the caller asks for, each once. */
export function withScopes(configured: string, asked: string): string {
  return [...new Set(`${configured} ${asked}`.split(/\s+/).filter(Boolean))].join(' ');
}
