import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  Configuration,
  discovery,
  fetchUserInfo,
  fetchProtectedResource,
} from 'openid-client';
import { z } from 'zod';
import type { IdentityProviderSettings } from '../../settings/platform-settings.ts';
import {
  type AuthorizationCallback,
  type AuthorizationRequest,
  type IdentityProvider,
  pictureAddress,
  plainText,
  type ProviderSignIn,
} from './identity-provider.ts';

const timeoutSeconds = 10;
/** Discovery interval: providers move endpoints and change methods, if seldom. */
const discoverAgainMs = 24 * 3_600_000;

class OpenIdProvider implements IdentityProvider {
  readonly label: string;
  readonly #settings: Extract<IdentityProviderSettings, { kind: 'oidc' }>;
  #discovered: { at: number; configuration: Promise<Configuration> } | undefined;

  constructor(settings: Extract<IdentityProviderSettings, { kind: 'oidc' }>) {
    this.#settings = settings;
    this.label = settings.label ?? settings.name;
  }

  async authorizationUrl({
    redirectUri,
    state,
    nonce,
    codeChallenge,
    scopes,
    extras,
  }: AuthorizationRequest): Promise<URL> {
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

  async exchange({ url, state, nonce, codeVerifier }: AuthorizationCallback): Promise<ProviderSignIn> {
    const configuration = await this.#configuration();
    const tokens = await authorizationCodeGrant(configuration, url, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new Error('The provider sent no ID token.');
    // Some providers put the address into the token, others only into the userinfo response.
    const more =
      claims.email === undefined && configuration.serverMetadata().userinfo_endpoint
        ? await fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : {};
    const userClaims: Record<string, unknown> = { ...more, ...claims };
    return {
      profile: {
        subject: claims.sub,
        email: plainText(userClaims.email),
        // A few providers send it as a string.
        emailVerified: userClaims.email_verified === true || userClaims.email_verified === 'true',
        name: plainText(userClaims.name),
        userName: plainText(userClaims.preferred_username),
        picture: pictureAddress(userClaims.picture),
        issuer: claims.iss,
      },
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token,
    };
  }

  async #configuration(): Promise<Configuration> {
    const cached = this.#discovered;
    if (cached && performance.now() - cached.at < discoverAgainMs) return cached.configuration;
    const { issuer, clientId, clientSecret } = this.#settings;
    const server = new URL(issuer);
    const configuration = discovery(server, clientId, clientSecret, undefined, {
      timeout: timeoutSeconds,
      // The settings allow plain http on loopback only.
      ...(server.protocol === 'http:' && { execute: [allowInsecureRequests] }),
    });
    const entry = { at: performance.now(), configuration };
    this.#discovered = entry;
    configuration.catch(() => {
      // A failure must not be cached.
      if (this.#discovered === entry) this.#discovered = undefined;
    });
    return configuration;
  }
}

function withScopes(configured: string, requested: string): string {
  return [...new Set(`${configured} ${requested}`.split(/\s+/).filter(Boolean))].join(' ');
}

const account = z.looseObject({
  id: z.int().positive(),
  login: z.string(),
  name: z.string().nullish(),
  avatar_url: z.string().nullish(),
});
const addresses = z.array(z.looseObject({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** GitHub, which supports OAuth 2 without OpenID Connect: its API tells who signed in. */
class GithubProvider implements IdentityProvider {
  readonly label: string;
  readonly #settings: Extract<IdentityProviderSettings, { kind: 'github' }>;
  readonly #configuration: Configuration;

  constructor(settings: Extract<IdentityProviderSettings, { kind: 'github' }>) {
    this.#settings = settings;
    this.label = settings.label ?? settings.name;
    const { siteUrl, clientId, clientSecret } = settings;
    this.#configuration = new Configuration(
      {
        issuer: siteUrl,
        authorization_endpoint: `${siteUrl}/login/oauth/authorize`,
        token_endpoint: `${siteUrl}/login/oauth/access_token`,
      },
      clientId,
      clientSecret,
    );
    this.#configuration.timeout = timeoutSeconds;
    if (siteUrl.startsWith('http:')) allowInsecureRequests(this.#configuration);
  }

  async authorizationUrl({
    redirectUri,
    state,
    codeChallenge,
    scopes,
    extras,
  }: AuthorizationRequest): Promise<URL> {
    return buildAuthorizationUrl(this.#configuration, {
      ...Object.fromEntries(extras),
      redirect_uri: redirectUri,
      scope: withScopes(this.#settings.scopes, scopes),
      state,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    });
  }

  async exchange({ url, state, codeVerifier }: AuthorizationCallback): Promise<ProviderSignIn> {
    const tokens = await authorizationCodeGrant(this.#configuration, url, {
      expectedState: state,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: false,
    });
    const { id, login, name, avatar_url } = account.parse(await this.#ask('/user', tokens.access_token));
    const emails = addresses.parse(await this.#ask('/user/emails', tokens.access_token));
    const chosen =
      emails.find(({ primary, verified }) => primary && verified) ??
      emails.find(({ verified }) => verified) ??
      emails.find(({ primary }) => primary);
    return {
      profile: {
        // The number is stable; a login may be renamed and reassigned.
        subject: String(id),
        email: plainText(chosen?.email),
        emailVerified: chosen?.verified === true,
        name: plainText(name) ?? plainText(login),
        userName: plainText(login),
        picture: pictureAddress(avatar_url),
        issuer: this.#settings.apiUrl,
      },
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token,
    };
  }

  async #ask(path: string, accessToken: string): Promise<unknown> {
    const headers = new Headers({ accept: 'application/vnd.github+json', 'user-agent': 'cellfolio' });
    const url = new URL(`${this.#settings.apiUrl}${path}`);
    const answer = await fetchProtectedResource(
      this.#configuration,
      accessToken,
      url,
      'GET',
      undefined,
      headers,
    );
    if (!answer.ok) throw new Error(`${url.pathname} answered ${answer.status}.`);
    return answer.json();
  }
}

/** Providers of the settings by name; makes no requests yet. */
export function makeProviders(
  settings: readonly IdentityProviderSettings[],
): ReadonlyMap<string, IdentityProvider> {
  return new Map(
    settings.map((one) => [
      one.name,
      one.kind === 'github' ? new GithubProvider(one) : new OpenIdProvider(one),
    ]),
  );
}
