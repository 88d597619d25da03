import { appScopes } from '@cellfolio/contract';

/** Path of the metadata of the tools as a protected resource (RFC 9728, section 3.1). */
export const resourceMetadataPath = '/.well-known/oauth-protected-resource';

/** `WWW-Authenticate` of the tools: where an app finds out how to sign in (RFC 9728, section 5.1). */
export function challengeOf(
  origin: string,
  error?: 'invalid_token' | 'insufficient_scope',
): Readonly<Record<string, string>> {
  const parameters = {
    ...(error && { error }),
    scope: appScopes.join(' '),
    resource_metadata: `${origin}${resourceMetadataPath}/mcp`,
  };
  const text = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`);
  return { 'www-authenticate': `Bearer ${text.join(', ')}` };
}
