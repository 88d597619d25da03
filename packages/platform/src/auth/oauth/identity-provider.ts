export interface ProviderProfile {
  /** The provider's identifier of the account; never changes. */
  subject: string;
  email: string | undefined;
  emailVerified: boolean;
  name: string | undefined;
  userName: string | undefined;
  picture: string | undefined;
  issuer: string;
}

export interface AuthorizationRequest {
  redirectUri: string;
  state: string;
  nonce: string;
  /** S256. */
  codeChallenge: string;
  /** Requested in addition to the scopes that signing in needs, separated by spaces. */
  scopes: string;
  /** Passed through unchanged; none is a protocol parameter. */
  extras: ReadonlyMap<string, string>;
}

export interface AuthorizationCallback {
  url: URL;
  state: string;
  nonce: string;
  codeVerifier: string;
}

export interface ProviderSignIn {
  profile: ProviderProfile;
  accessToken: string;
  refreshToken: string | undefined;
}

export interface IdentityProvider {
  label: string;
  authorizationUrl(request: AuthorizationRequest): Promise<URL>;
  /** Exchanges the callback's parameters for a sign-in; throws if the provider refuses or its response is invalid. */
  exchange(callback: AuthorizationCallback): Promise<ProviderSignIn>;
}

/** Sanitises a provider's text for storage: bounded length, no control characters. */
export function plainText(input: unknown): string | undefined {
  if (typeof input !== 'string') return undefined;
  // PostgreSQL stores neither NUL nor half a surrogate pair.
  const plain = input
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 500);
  return plain === '' ? undefined : plain.toWellFormed();
}

export function pictureAddress(input: unknown): string | undefined {
  if (typeof input !== 'string' || input.length > 2_000 || !URL.canParse(input)) return undefined;
  const url = new URL(input);
  return url.protocol === 'https:' ? url.href : undefined;
}
