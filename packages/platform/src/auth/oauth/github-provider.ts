import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  Configuration,
  fetchProtectedResource,
} from 'openid-client';
import { z } from 'zod';
import type { IdentityProviderSettings } from '../../settings/identity-provider-settings.ts';
import {
  type Arrival,
  type Departure,
  type IdentityProvider,
  pictureAddress,
  plainText,
  type SignedInElsewhere,
} from './identity-provider.ts';
import { withScopes } from './openid-provider.ts';

const timeoutSeconds = 10;

const account = z.looseObject({
  id: z.int().positive(),
  login: z.string(),
  name: z.string().nullish(),
  avatar_url: z.string().nullish(),
});
const addresses = z.array(z.looseObject({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** GitHub, which speaks OAuth 2 without OpenID Connect: who signed in is asked of its API. */
export class GithubProvider implements IdentityProvider {
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

  async depart({ redirectUri, state, codeChallenge, scopes, extras }: Departure): Promise<URL> {
    return buildAuthorizationUrl(this.#configuration, {
      ...Object.fromEntries(extras),
      redirect_uri: redirectUri,
      scope: withScopes(this.#settings.scopes, scopes),
      state,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    });
  }

  async arrive({ url, state, codeVerifier }: Arrival): Promise<SignedInElsewhere> {
    const tokens = await authorizationCodeGrant(this.#configuration, url, {
      expectedState: state,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: false,
    });
    const { id, login, name, avatar_url } = account.parse(await this.#ask('/user', tokens.access_token));
    const known = addresses.parse(await this.#ask('/user/emails', tokens.access_token));
    const chosen =
      known.find(({ primary, verified }) => primary && verified) ??
      known.find(({ verified }) => verified) ??
      known.find(({ primary }) => primary);
    return {
      profile: {
        // The number stays when the login is renamed and given to somebody else.
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
