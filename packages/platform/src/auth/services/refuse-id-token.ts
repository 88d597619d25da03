import { decodeJwt } from 'jose';
import { AuthError } from '../auth-error.ts';

export interface IdTokenGrant {
  readonly idToken: string;
  readonly provider: string;
  readonly clientId: string;
  readonly issuer: string;
}

/** By the names that clients give to providers whose tokens a hosted project takes. */
const issuers: ReadonlyMap<string, string> = new Map([
  ['google', 'https://accounts.google.com'],
  ['facebook', 'https://www.facebook.com'],
  ['kakao', 'https://kauth.kakao.com'],
  ['keycloak', ''],
]);

/** These have several issuers; the token says which. */
const issuedInToken: ReadonlyMap<string, readonly [label: string, issuer: RegExp]> = new Map([
  ['apple', ['Apple', /^https:\/\/(?:appleid|account)\.apple\.com$/]],
  ['azure', ['Azure', /^https:\/\/(?:login\.microsoftonline\.com|sts\.windows\.net)\//]],
]);

/**
 * Sessions for ID tokens of other providers are not given here: people sign in there by the browser. Says so as a
 * hosted project does of a provider that is switched off.
 */
export function refuseIdToken({ idToken, provider, clientId, issuer }: IdTokenGrant): AuthError {
  const invalid = (message: string) => new AuthError(400, 'validation_failed', message);
  const disabled = (of: string) =>
    new AuthError(400, 'provider_disabled', `Provider (issuer "${of}") is not enabled`);
  if (!idToken) return invalid('id_token required');
  if (!provider && !(clientId && issuer)) return invalid('provider or client_id and issuer required');
  const several = issuedInToken.get(provider);
  if (several) {
    const [label, allowed] = several;
    const found = issuerIn(idToken);
    if (found === undefined) return invalid(`Unable to detect issuer in ID token for ${label} provider`);
    if (allowed.test(found)) return disabled(found);
    return invalid(`Detected ID token issuer is not an ${label} ID token issuer`);
  }
  const known = issuers.get(provider) ?? [...issuers.values()].find((one) => one !== '' && one === issuer);
  if (known !== undefined) return disabled(known);
  if (provider.startsWith('custom:')) return invalid('Custom OAuth providers are disabled');
  return invalid(`Custom OIDC provider ${JSON.stringify(provider)} not allowed`);
}

function issuerIn(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}
