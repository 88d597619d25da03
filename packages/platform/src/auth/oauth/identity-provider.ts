/** What a provider says about who has just signed in there. */
export interface ProviderProfile {
  /** The provider's own name for the account; never changes. */
  readonly subject: string;
  readonly email: string | undefined;
  /** The provider has made sure that the address is the account's. */
  readonly emailVerified: boolean;
  readonly name: string | undefined;
  readonly userName: string | undefined;
  /** An https address. */
  readonly picture: string | undefined;
  readonly issuer: string;
}

export interface AuthorizationRequest {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** S256. */
  readonly codeChallenge: string;
  /** Asked for besides what signing in needs, parted by spaces. */
  readonly scopes: string;
  /** Passed on as they are; none of them is a parameter of the protocol. */
  readonly extras: ReadonlyMap<string, string>;
}

export interface AuthorizationCallback {
  /** Our callback address with what the provider added. */
  readonly url: URL;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

export interface ProviderSignIn {
  readonly profile: ProviderProfile;
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
}

/** Somewhere else that people have accounts. */
export interface IdentityProvider {
  /** As people know it. */
  readonly label: string;
  /** Where the browser goes. */
  authorizationUrl(request: AuthorizationRequest): Promise<URL>;
  /** Exchanges what the browser brought back; throws when the provider refused or lied. */
  exchange(callback: AuthorizationCallback): Promise<ProviderSignIn>;
}

/** A text of a provider as it may be stored: of bounded length, without control characters. */
export function plainText(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined;
  // PostgreSQL stores neither NUL nor half a surrogate pair.
  const plain = given
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 500);
  return plain === '' ? undefined : plain.toWellFormed();
}

/** A picture's address, if it is one that a page may show. */
export function pictureAddress(given: unknown): string | undefined {
  if (typeof given !== 'string' || given.length > 2_000 || !URL.canParse(given)) return undefined;
  const url = new URL(given);
  return url.protocol === 'https:' ? url.href : undefined;
}
